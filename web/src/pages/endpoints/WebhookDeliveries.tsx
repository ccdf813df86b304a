import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { eventNames } from '../../parts/eventWords.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'

type Props = { path: string; isActive: boolean }

/** What was sent to the webhook of an endpoint, newest first, each to be sent again. */
export function WebhookDeliveries({ path, isActive }: Props) {
  const query = useApiList<WebhookDelivery>(`${path}/webhook/deliveries`)
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          Deliveries
        </Text>
        <Button variant="subtle" size="xs" loading={query.isRefetching} onClick={() => query.refetch()}>
          Look again
        </Button>
      </Group>
      <Rows query={query} empty={<Text c="dimmed">Nothing was sent yet.</Text>}>
        {(delivery) => <DeliveryRow key={delivery.id} {...{ delivery, path, isActive }} />}
      </Rows>
    </Stack>
  )
}

function DeliveryRow({ delivery, path, isActive }: Props & { delivery: WebhookDelivery }) {
  const log = `${path}/webhook/deliveries`
  const change = useApiMutation({ invalidates: [log] })
  const { id, eventType, redeliveryOf, status, attempts, nextAttemptAt, createdAt } = delivery
  const name = eventType === 'webhook.test' ? 'Test event' : (eventNames[eventType] ?? eventType)
  const isTriedAgain = attempts > 0 && nextAttemptAt !== null
  return (
    <Paper withBorder px="md" py="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Stack gap={2} style={{ minWidth: 0 }}>
            <Text size="sm">
              {name}
              {redeliveryOf !== null && ', sent again'} · <When time={createdAt} />
            </Text>
            <Text size="sm" c="dimmed">
              {deliveryOutcome(delivery)} {attempts > 1 && `${attempts} attempts.`}{' '}
              {isTriedAgain && `The next one is at ${new Date(nextAttemptAt).toLocaleString()}.`}
            </Text>
          </Stack>
          <Group gap="xs">
            <StatusBadge value={status} />
            {isActive && status !== 'pending' && (
              <Button
                variant="default"
                size="xs"
                loading={change.isPending}
                aria-label={`Send again: ${name}`}
                onClick={() => change.mutate({ method: 'POST', path: `${log}/${id}/redeliver` })}
              >
                Send again
              </Button>
            )}
          </Group>
        </Group>
        <FailureNote error={change.error} />
      </Stack>
    </Paper>
  )
}

const FAULTS: Record<string, string> = {
  address_refused: 'The address leads to a private network or is not HTTPS.',
  timed_out: 'The server did not answer within 10 seconds.',
  connection_failed: 'The server could not be reached.',
}

/** How the last attempt at a delivery ended, in a sentence; empty before there was one. */
export function deliveryOutcome({ lastStatus, lastError, lastDurationMs }: WebhookDelivery): string {
  if (lastError !== null && lastStatus === null) return FAULTS[lastError] ?? 'It could not be sent.'
  if (lastStatus === null) return ''
  const answered = `The server answered ${lastStatus} after ${lastDurationMs ?? 0} ms.`
  return lastError === 'redirected' ? `${answered} Redirects are not followed.` : answered
}

/** The webhook of an endpoint. Source: api.md "Endpoints" (`…/webhook`). */
export type EndpointWebhook = {
  url: string | null
  status: 'none' | 'active' | 'disabled' | 'archived'
  disabledAt: string | null
  secret: string | null
  previousSecretUntil: string | null
}

/** One event on its way to the webhook, or past it. */
export type WebhookDelivery = {
  id: string
  eventType: string
  redeliveryOf: string | null
  status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  attempts: number
  nextAttemptAt: string | null
  lastStatus: number | null
  lastError: string | null
  lastDurationMs: number | null
  createdAt: string
}
