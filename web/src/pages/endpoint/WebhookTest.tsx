import { Alert, Button, Group, Stack } from '@mantine/core'
import { useChange } from '../../api/useChange.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { deliveryOutcome } from './deliveryOutcome.ts'
import type { WebhookDelivery } from './webhookTypes.ts'

/** Sends a test event to the webhook of an endpoint and shows how the receiver took it. */
export function WebhookTest({ path }: { path: string }) {
  const change = useChange<{ delivered: boolean; delivery: WebhookDelivery }>({
    touches: [`${path}/webhook/deliveries`, `${path}/webhook`],
  })
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ method: 'POST', path: `${path}/test-webhook` })}
        >
          Send a test event
        </Button>
      </Group>
      {change.data && (
        <Alert
          role="status"
          color={change.data.delivered ? 'teal' : 'orange'}
          icon={<Icon name={change.data.delivered ? 'check' : 'warning'} />}
          title={change.data.delivered ? 'The test event arrived' : 'The test event did not arrive'}
        >
          {deliveryOutcome(change.data.delivery)}
        </Alert>
      )}
      <FailureNote error={change.error} />
    </Stack>
  )
}
