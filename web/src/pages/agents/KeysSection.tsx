import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { When } from '../../parts/When.tsx'
import { NewAgentKey } from './NewAgentKey.tsx'
import { SignerRow } from './SignerRow.tsx'
import { SigningAccounts } from './SigningAccounts.tsx'

/** The public keys of an agent: its owner adds and revokes them with a passkey. */
export function KeysSection({ svcId, isRetired }: { svcId: string; isRetired: boolean }) {
  const query = useApiQuery('GET /api/agents/:id/keys', { params: { id: svcId } })
  const [isAdding, setAdding] = useState(false)
  const [revoking, setRevoking] = useState<StoredAgentKey | null>(null)
  return (
    <Section
      title="Keys"
      description="The agent signs its requests with a private key that only it has. Here are the public halves, with which the signatures are checked."
    >
      <Loaded query={query}>
        {({ items, accounts }) => (
          <Stack gap="xs">
            {items.length === 0 && (
              <Text c="dimmed">No keys: whoever knows the agent’s identifier can name it in a request.</Text>
            )}
            {items.map((key) => (
              <KeyRow key={key.kid} agentKey={key} onRevoke={() => setRevoking(key)} />
            ))}
            <SigningAccounts svcId={svcId} accounts={accounts} />
          </Stack>
        )}
      </Loaded>
      {isAdding && <NewAgentKey svcId={svcId} onClose={() => setAdding(false)} />}
      <Group gap="lg">
        {!isAdding && !isRetired && (
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setAdding(true)}
          >
            Add key
          </Button>
        )}
        <Anchor href={`/.well-known/agents/${svcId}/jwks.json`} size="sm">
          Public key set
        </Anchor>
      </Group>
      <Revocation svcId={svcId} revoking={revoking} onClose={() => setRevoking(null)} />
    </Section>
  )
}

function KeyRow({ agentKey, onRevoke }: { agentKey: StoredAgentKey; onRevoke: () => void }) {
  const { kid, crv, name, createdAt, revokedAt, provenAt } = agentKey
  const revoked = revokedAt !== null && (
    <Badge variant="light" color="gray" tt="none" radius="sm">
      Revoked
    </Badge>
  )
  return (
    <SignerRow name={name ?? kid} onRevoke={onRevoke} instead={revoked || undefined}>
      {name !== null && (
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      )}
      <CopyText text={kid} name="thumbprint" />
      <Text size="sm" c="dimmed">
        {crv} · added <When time={createdAt} />
        {provenAt !== null && ' · possession proven'}
        {revokedAt !== null && (
          <>
            {' '}
            · revoked <When time={revokedAt} />
          </>
        )}
      </Text>
    </SignerRow>
  )
}

type RevocationProps = { svcId: string; revoking: StoredAgentKey | null; onClose: () => void }

function Revocation({ svcId, revoking, onClose }: RevocationProps) {
  const change = useApiMutation('DELETE /api/agents/:id/keys/:kid', {
    invalidates: [['GET /api/agents/:id/keys', { id: svcId }]],
    says: 'Revoked',
    onDone: onClose,
  })
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <ConfirmModal
      opened={revoking !== null}
      title="Revoke this key?"
      action="Revoke with passkey"
      change={change}
      onConfirm={() => revoking && change.mutate({ params: { id: svcId, kid: revoking.kid } })}
      onClose={close}
    >
      Requests signed with <b>{revoking?.name ?? 'this key'}</b> are refused from then on. This cannot be
      undone, and the key cannot be added again.
    </ConfirmModal>
  )
}
