import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core'
import type { Passkey } from '@svc/core/contract/passkeys.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { AddPasskey } from '../../parts/AddPasskey.tsx'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'

const STALE = ['GET /api/auth/passkeys', 'GET /api/me', 'GET /api/auth/sessions'] as const

/** Lists the passkeys of the account; adds and removes them. */
export function PasskeysSection() {
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const query = useApiQuery('GET /api/auth/passkeys')
  return (
    <Section
      title="Passkeys"
      description="A passkey signs you in without a password, approves your agents’ requests and confirms sensitive changes. Adding one requires an existing passkey or, for the first, that you have just signed in."
    >
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="xs">
            {items.length === 0 && (
              <Text c="dimmed">None yet. Without a passkey you can deny requests, but not approve them.</Text>
            )}
            {items.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoving(passkey)} />
            ))}
          </Stack>
        )}
      </Loaded>
      <AddPasskey invalidates={STALE} />
      <Modal opened={removing !== null} onClose={() => setRemoving(null)} title="Remove the passkey?">
        {removing && (
          <Removal
            passkey={removing}
            isLast={query.data?.items.length === 1}
            onClose={() => setRemoving(null)}
          />
        )}
      </Modal>
    </Section>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }) {
  const { name, deviceType, createdAt, lastUsedAt } = passkey
  return (
    <Paper withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {deviceType === 'multiDevice' ? 'Synced between devices' : 'On one device'} · added{' '}
            <When time={createdAt} /> ·{' '}
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <When time={lastUsedAt} />
              </>
            )}
          </Text>
        </Stack>
        <Button variant="light" color="red" size="xs" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </Group>
    </Paper>
  )
}

type RemovalProps = { passkey: Passkey; isLast: boolean; onClose: () => void }

function Removal({ passkey, isLast, onClose }: RemovalProps) {
  const change = useApiMutation('DELETE /api/auth/passkeys/:id', {
    ...{ invalidates: STALE, says: 'Removed', onDone: onClose },
  })
  const remove = () => change.mutate({ params: { id: passkey.id } })
  return (
    <Stack>
      <Text>
        <b>{passkey.name}</b> will no longer sign you in or approve requests, and other sessions started with
        a passkey will end. You may be asked to confirm this with a passkey.
      </Text>
      {isLast && (
        <Text>
          This is your last passkey: you cannot approve your agents’ requests until you add another one.
        </Text>
      )}
      <FailureNote error={change.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red.9" loading={change.isPending} onClick={remove}>
          Remove
        </Button>
      </Group>
    </Stack>
  )
}
