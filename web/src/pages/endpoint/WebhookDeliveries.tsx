import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useChange } from '../../api/useChange.ts'
import { useItems } from '../../api/useItems.ts'
import { eventTypes } from '../../parts/eventTypes.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Rows } from '../../parts/Rows.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { When } from '../../parts/When.tsx'
import { deliveryOutcome } from './deliveryOutcome.ts'
import type { WebhookDelivery } from './webhookTypes.ts'

type Props = { path: string; isActive: boolean }

/** What was sent to the webhook of an endpoint, newest first, each to be sent again. */
export function WebhookDeliveries({ path, isActive }: Props) {
  const query = useItems<WebhookDelivery>(`${path}/webhook/deliveries`)
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
  const change = useChange({ touches: [log] })
  const { id, eventType, redeliveryOf, status, attempts, nextAttemptAt, createdAt } = delivery
  const name = eventType === 'webhook.test' ? 'Test event' : (eventTypes[eventType] ?? eventType)
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
