import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { WebhookDelivery } from '@svc/core/contract/webhooks.ts'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { eventNames } from '../../parts/words/eventWords.ts'

type Props = { endpointId: string; isActive: boolean }

/** The deliveries to the webhook of an endpoint, newest first; each can be resent. */
export function WebhookDeliveries({ endpointId, isActive }: Props) {
  const query = useApiList('GET /api/endpoints/:id/webhook/deliveries', { params: { id: endpointId } })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          Deliveries
        </Text>
        <Button variant="subtle" size="xs" loading={query.isRefetching} onClick={() => query.refetch()}>
          Refresh
        </Button>
      </Group>
      <Rows query={query} empty={<Text c="dimmed">No deliveries yet.</Text>}>
        {(delivery) => <DeliveryRow key={delivery.id} {...{ delivery, endpointId, isActive }} />}
      </Rows>
    </Stack>
  )
}

function DeliveryRow({ delivery, endpointId, isActive }: Props & { delivery: WebhookDelivery }) {
  const change = useApiMutation('POST /api/endpoints/:id/webhook/deliveries/:deliveryId/redeliver', {
    invalidates: [['GET /api/endpoints/:id/webhook/deliveries', { id: endpointId }]],
  })
  const { id, eventType, redeliveryOf, status, attempts, nextAttemptAt, createdAt } = delivery
  const name = eventType === 'webhook.test' ? 'Test event' : (eventNames[eventType] ?? eventType)
  const isRetrying = attempts > 0 && nextAttemptAt !== null
  return (
    <Paper withBorder px="md" py="sm">
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Stack gap={2} style={{ minWidth: 0 }}>
            <Text size="sm">
              {name}
              {redeliveryOf !== null && ' (resent)'} · <When time={createdAt} />
            </Text>
            <Text size="sm" c="dimmed">
              {describeDelivery(delivery)} {attempts > 1 && `${attempts} attempts.`}{' '}
              {isRetrying && `Next attempt: ${new Date(nextAttemptAt).toLocaleString()}.`}
            </Text>
          </Stack>
          <Group gap="xs">
            <StatusBadge value={status} />
            {isActive && status !== 'pending' && (
              <Button
                variant="default"
                size="xs"
                loading={change.isPending}
                aria-label={`Resend: ${name}`}
                onClick={() => change.mutate({ params: { id: endpointId, deliveryId: id } })}
              >
                Resend
              </Button>
            )}
          </Group>
        </Group>
        <FailureNote error={change.error} />
      </Stack>
    </Paper>
  )
}

const ERRORS: Record<string, string> = {
  address_refused: 'The URL is not HTTPS or points to a private network.',
  timed_out: 'The server did not respond within 10 seconds.',
  connection_failed: 'The server could not be reached.',
}

/** Describes the outcome of the last delivery attempt; empty if there was none yet. */
export function describeDelivery({ lastStatus, lastError, lastDurationMs }: WebhookDelivery): string {
  if (lastError !== null && lastStatus === null) return ERRORS[lastError] ?? 'The event could not be sent.'
  if (lastStatus === null) return ''
  const response = `The server responded with ${lastStatus} after ${lastDurationMs ?? 0} ms.`
  return lastError === 'redirected' ? `${response} Redirects are not followed.` : response
}
