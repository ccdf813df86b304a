import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Endpoint } from '../../api/types.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/Loaded.tsx'
import { SecretOnce } from '../../parts/SecretOnce.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import {
  deliveryOutcome,
  type EndpointWebhook,
  WebhookDeliveries,
  type WebhookDelivery,
} from './WebhookDeliveries.tsx'

/** Where events of the endpoint are sent, their secret, and what became of them. Source: api.md "Webhook signature". */
export function WebhookSection({ endpoint }: { endpoint: Endpoint }) {
  const path = `/api/endpoints/${endpoint.svceId ?? endpoint.id}`
  const query = useApiQuery<{ webhook: EndpointWebhook }>(`${path}/webhook`)
  const status = query.data?.webhook.status ?? 'none'
  return (
    <Section
      title="Webhook"
      description="Every outcome at this endpoint is sent to your server as it happens, signed with the webhook secret, and again for three days until it is taken."
      right={status !== 'none' && <StatusBadge value={status} />}
    >
      <Loaded query={query}>
        {({ webhook }) => (
          <Stack>
            {webhook.status === 'disabled' && (
              <Alert color="orange" icon={<Icon name="warning" />} title="Nothing is sent any more">
                Your server answered that the address is gone (410). Save an address to go on.
              </Alert>
            )}
            <Address key={webhook.url} path={path} webhook={webhook} />
            <Secret path={path} webhook={webhook} />
            {webhook.status === 'active' && <WebhookTest path={path} />}
            <WebhookDeliveries path={path} isActive={webhook.status === 'active'} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

type PartProps = { path: string; webhook: EndpointWebhook }

function Address({ path, webhook }: PartProps) {
  const invalidates = [`${path}/webhook`, `${path}/webhook/deliveries`, path]
  const save = useApiMutation({ invalidates })
  const remove = useApiMutation({ invalidates })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const url = String(new FormData(event.currentTarget).get('url')).trim()
    save.mutate({ method: 'POST', path: `${path}/webhook`, body: { url } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          name="url"
          type="url"
          label="Address"
          placeholder="https://api.example.com/webhooks"
          defaultValue={webhook.url ?? ''}
          required
          maxLength={2048}
        />
        <FailureNote error={save.error ?? remove.error} />
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save the address
          </Button>
          {webhook.url !== null && (
            <Button
              variant="light"
              color="red"
              loading={remove.isPending}
              onClick={() => remove.mutate({ method: 'DELETE', path: `${path}/webhook` })}
            >
              Remove the webhook
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function Secret({ path, webhook }: PartProps) {
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation<{ webhookSecret: string }>({
    invalidates: [`${path}/webhook`, path],
    onDone: () => setAsking(false),
  })
  const { secret, previousSecretUntil } = webhook
  return (
    <Stack gap="sm">
      {change.data && (
        <SecretOnce secret={change.data.webhookSecret} name="webhook secret">
          Both secrets sign until tomorrow, so you can change over without losing an event.
        </SecretOnce>
      )}
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Secret <code>{secret}</code>
          {previousSecretUntil !== null && (
            <Text span c="dimmed">
              {' '}
              · the one before signs too until {new Date(previousSecretUntil).toLocaleString()}
            </Text>
          )}
        </Text>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Rotate the secret
        </Button>
      </Group>
      <ConfirmModal
        opened={isAsking}
        title="Rotate the secret?"
        action="Rotate"
        change={change}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate({ method: 'POST', path: `${path}/rotate-secret` })}
      >
        You get a new secret, shown once. The present one signs beside it for 24 hours; one from before it
        ends now.
      </ConfirmModal>
    </Stack>
  )
}

/** Sends a test event to the webhook of an endpoint and shows how the receiver took it. */
function WebhookTest({ path }: { path: string }) {
  const change = useApiMutation<{ delivered: boolean; delivery: WebhookDelivery }>({
    invalidates: [`${path}/webhook/deliveries`, `${path}/webhook`],
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
