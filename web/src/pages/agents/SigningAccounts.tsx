import { Stack, Text } from '@mantine/core'
import type { SigningAccount } from '@svc/core/contract/agentKeys.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { SignerRow } from './SignerRow.tsx'

const SOURCES: Record<SigningAccount['source'], string> = {
  linked_wallet: 'A wallet of your account',
  registration: 'Signed the registration',
  agent_wallet: 'The wallet in the agent’s token',
}

/** The Ethereum accounts that sign for an agent: its owner revokes those that are no wallets of the owner. */
export function SigningAccounts({ svcId, accounts }: { svcId: string; accounts: readonly SigningAccount[] }) {
  const [revoking, setRevoking] = useState<string | null>(null)
  const change = useApiMutation('DELETE /api/agents/:id/accounts/:address', {
    invalidates: [['GET /api/agents/:id/keys', { id: svcId }]],
    says: 'Revoked',
    onDone: () => setRevoking(null),
  })
  const close = () => {
    change.reset()
    setRevoking(null)
  }
  if (accounts.length === 0) return null
  return (
    <Stack gap="xs">
      <Text fw={550}>Ethereum accounts that also sign for it</Text>
      {accounts.map(({ address, source }) => (
        <SignerRow
          key={address}
          name={address}
          onRevoke={() => setRevoking(address)}
          instead={source === 'linked_wallet' ? <TextLink to="/account">Your wallets</TextLink> : undefined}
        >
          <CopyText text={address} name="address" />
          <Text size="sm" c="dimmed">
            {SOURCES[source]}
          </Text>
        </SignerRow>
      ))}
      <ConfirmModal
        opened={revoking !== null}
        title="Revoke this account?"
        action="Revoke with passkey"
        change={change}
        onConfirm={() => revoking !== null && change.mutate({ params: { id: svcId, address: revoking } })}
        onClose={close}
      >
        Requests that it signs are refused from then on, for this agent and all your others. To allow it
        again, link it to your account as a wallet.
      </ConfirmModal>
    </Stack>
  )
}
