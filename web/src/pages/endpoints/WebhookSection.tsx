import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import type { Webhook } from '@svc/core/contract/webhooks.ts'
import { type FormEvent, useState } from 'react'
import type { Resource } from '../../api/call.ts'
import { callElevated } from '../../api/callApi.ts'
import { readSettings } from '../../api/readSettings.ts'
import type { Undoable } from '../../api/sendUndoable.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { withElevation } from '../../api/withElevation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { SecretOnce } from '../../parts/code/SecretOnce.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { useLeaveGuard } from '../../parts/forms/useLeaveGuard.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { describeDelivery, WebhookDeliveries } from './WebhookDeliveries.tsx'

/** The webhook of an endpoint: its URL, secret and deliveries. */
export function WebhookSection({ endpoint }: { endpoint: Endpoint }) {
  const id = endpoint.svceId ?? endpoint.id
  const query = useApiQuery('GET /api/endpoints/:id/webhook', { params: { id } })
  const status = query.data?.webhook.status ?? 'none'
  return (
    <Section
      title="Webhook"
      description="Every verification at this endpoint is sent to your server, signed with the webhook secret. Failed deliveries are retried for three days."
      right={status !== 'none' && <StatusBadge value={status} />}
    >
      <Loaded query={query}>
        {({ webhook }) => (
          <Stack>
            {webhook.status === 'disabled' && (
              <Alert color="orange" icon={<Icon name="warning" />} title="The webhook is disabled">
                Your server responded with 410 Gone. Save a URL to enable it again.
              </Alert>
            )}
            <WebhookUrl key={webhook.url} id={id} webhook={webhook} />
            <WebhookSecret id={id} webhook={webhook} />
            {webhook.status === 'active' && <WebhookTest id={id} />}
            <WebhookDeliveries endpointId={id} isActive={webhook.status === 'active'} />
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

type PartProps = { id: string; webhook: Webhook }

/** The webhook of an endpoint, with the endpoint that shows its URL and secret. */
function listStale(id: string): Resource[] {
  return [
    ['GET /api/endpoints/:id/webhook', { id }],
    ['GET /api/endpoints/:id', { id }],
  ]
}

function WebhookUrl({ id, webhook }: PartProps) {
  const stored = webhook.url ?? ''
  const [url, setUrl] = useState(stored)
  useLeaveGuard(url.trim() !== stored)
  const invalidates: Resource[] = [...listStale(id), ['GET /api/endpoints/:id/webhook/deliveries', { id }]]
  const undo: Undoable<{ webhook: Webhook }> = {
    read: () =>
      readSettings('GET /api/endpoints/:id/webhook', { params: { id } }, (answer) => answer.webhook),
    settingsOf: (answer) => answer.webhook,
    names: ['url'],
    restore: ({ url }, headers) => restoreUrl(id, url, headers),
  }
  const save = useApiMutation('POST /api/endpoints/:id/webhook', { invalidates, undo })
  const remove = useApiMutation('DELETE /api/endpoints/:id/webhook', {
    ...{ invalidates, undo },
    says: 'Removed. Pending deliveries are cancelled.',
  })
  const faults = readFaults(save.error ?? remove.error, { url: 'URL' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.reset()
    save.mutate({ params: { id }, body: { url: url.trim() } })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          name="url"
          type="url"
          label="URL"
          placeholder="https://api.example.com/webhooks"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          required
          maxLength={2048}
          error={faults.at.url}
        />
        <FormFailure faults={faults} />
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save URL
          </Button>
          {webhook.url !== null && (
            <Button
              variant="light"
              color="red"
              loading={remove.isPending}
              onClick={() => {
                save.reset()
                remove.mutate({ params: { id } })
              }}
            >
              Remove webhook
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** Sets a URL, or none. */
function restoreUrl(id: string, url: unknown, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const call = { params: { id }, headers }
  return withElevation((elevation) =>
    typeof url === 'string'
      ? callElevated('POST /api/endpoints/:id/webhook', { ...call, body: { url } }, elevation)
      : callElevated('DELETE /api/endpoints/:id/webhook', call, elevation),
  )
}

function WebhookSecret({ id, webhook }: PartProps) {
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation('POST /api/endpoints/:id/rotate-secret', {
    invalidates: listStale(id),
    onDone: () => setAsking(false),
  })
  const { secret, previousSecretUntil } = webhook
  return (
    <Stack gap="sm">
      {change.data && (
        <SecretOnce secret={change.data.webhookSecret} name="webhook secret">
          Events are signed with both secrets for the next 24 hours, so you can switch without losing any.
        </SecretOnce>
      )}
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Secret <code>{secret}</code>
          {previousSecretUntil !== null && (
            <Text span c="dimmed">
              {' '}
              · the previous one is valid until {new Date(previousSecretUntil).toLocaleString()}
            </Text>
          )}
        </Text>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Rotate secret
        </Button>
      </Group>
      <ConfirmModal
        opened={isAsking}
        title="Rotate the secret?"
        action="Rotate"
        change={change}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate({ params: { id } })}
      >
        You will get a new secret, shown only once. The current one remains valid for 24 hours; any older one
        stops working now.
      </ConfirmModal>
    </Stack>
  )
}

/** Sends a test event to the webhook of an endpoint and shows the outcome. */
function WebhookTest({ id }: { id: string }) {
  const change = useApiMutation('POST /api/endpoints/:id/test-webhook', {
    invalidates: [
      ['GET /api/endpoints/:id/webhook/deliveries', { id }],
      ['GET /api/endpoints/:id/webhook', { id }],
    ],
  })
  return (
    <Stack gap="sm">
      <Group>
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ params: { id } })}
        >
          Send test event
        </Button>
      </Group>
      {change.data && (
        <Alert
          role="status"
          color={change.data.delivered ? 'teal' : 'orange'}
          icon={<Icon name={change.data.delivered ? 'check' : 'warning'} />}
          title={change.data.delivered ? 'Test event delivered' : 'Test event not delivered'}
        >
          {describeDelivery(change.data.delivery)}
        </Alert>
      )}
      <FailureNote error={change.error} />
    </Stack>
  )
}
