import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import type { ApiKey, Organization } from '@svc/core/contract/accounts.ts'
import { useState } from 'react'
import { useApiList } from '../../api/useApiList.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { useChosenOrganisation } from '../../api/useChosenOrganisation.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { EmptyNote } from '../../parts/lists/EmptyNote.tsx'
import { Rows } from '../../parts/lists/Rows.tsx'
import { OrganisationNote } from '../../parts/OrganisationNote.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { When } from '../../parts/When.tsx'
import { NewApiKey } from './NewApiKey.tsx'

/** Lists the API keys visible to the account; creates and revokes them. */
export function ApiKeysPage() {
  const [isCreating, setCreating] = useState(false)
  const creation = useApiMutation('POST /api/api-keys', { invalidates: ['GET /api/api-keys'] })
  // The key is shown only once, so the dialog closes only by its button.
  const isLocked = creation.isPending || creation.data !== undefined
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const { organizationId, chosenFirst } = useChosenOrganisation()
  const query = useApiList('GET /api/api-keys', { query: { organizationId } })
  const organisations = useApiQuery('GET /api/organizations', { query: { limit: 100 } })
  const create = (
    <Button
      leftSection={<Icon name="plus" />}
      onClick={() => {
        creation.reset()
        setCreating(true)
      }}
    >
      Create API key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        description="Your servers authenticate with API keys. An organisation key acts for the organisation’s endpoints, a personal key only for you."
      >
        {create}
      </PageHeader>
      <OrganisationNote />
      <Rows
        query={query}
        empty={
          <EmptyNote
            icon="keys"
            title="No API keys yet"
            description="Calls of verify-access are authenticated with an API key. To register endpoints, create a key in an organisation."
          />
        }
      >
        {(key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            organisations={organisations.data?.items ?? []}
            onRevoke={() => setRevoking(key)}
          />
        )}
      </Rows>
      <Modal
        opened={isCreating}
        onClose={() => setCreating(false)}
        title="Create API key"
        size="lg"
        closeOnClickOutside={!isLocked}
        closeOnEscape={!isLocked}
        withCloseButton={!isLocked}
      >
        <NewApiKey
          change={creation}
          organisations={chosenFirst(organisations.data?.items ?? [])}
          onClose={() => setCreating(false)}
        />
      </Modal>
      <Modal opened={revoking !== null} onClose={() => setRevoking(null)} title="Revoke this key?">
        {revoking && <Revocation apiKey={revoking} onClose={() => setRevoking(null)} />}
      </Modal>
    </>
  )
}

type KeyRowProps = { apiKey: ApiKey; organisations: Organization[]; onRevoke: () => void }

function KeyRow({ apiKey, organisations, onRevoke }: KeyRowProps) {
  const { name, lastFour, organizationId, createdAt } = apiKey
  const found = organisations.find((one) => one.organizationId === organizationId)
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <Text span ff="monospace" inherit>
              svc_live_…{lastFour}
            </Text>{' '}
            · {organizationId === null ? 'personal' : (found?.name ?? organizationId)} · created{' '}
            <When time={createdAt} />
          </Text>
        </Stack>
        <Button variant="light" color="red" size="xs" onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      </Group>
    </Paper>
  )
}

function Revocation({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const change = useApiMutation('DELETE /api/api-keys/:id', {
    invalidates: ['GET /api/api-keys'],
    says: 'Revoked',
    onDone: onClose,
  })
  const revoke = () => change.mutate({ params: { id: apiKey.id } })
  return (
    <Stack>
      <Text>
        Requests with <b>{apiKey.name}</b> (…{apiKey.lastFour}) will be rejected. This cannot be undone.
      </Text>
      <FailureNote error={change.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red.9" loading={change.isPending} onClick={revoke}>
          Revoke
        </Button>
      </Group>
    </Stack>
  )
}
