import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { SigningAccount } from '@svc/core/contract/agentKeys.ts'
import { useState } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

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
        <Paper key={address} withBorder px="md" py="sm">
          <Group justify="space-between" gap="sm">
            <Stack gap={2} style={{ minWidth: 0, flex: '1 1 240px' }}>
              <CopyText text={address} name="address" />
              <Text size="sm" c="dimmed">
                {SOURCES[source]}
              </Text>
            </Stack>
            {source === 'linked_wallet' ? (
              <TextLink to="/account">Your wallets</TextLink>
            ) : (
              <Button
                variant="light"
                color="red"
                size="xs"
                onClick={() => setRevoking(address)}
                aria-label={`Revoke ${address}`}
              >
                Revoke
              </Button>
            )}
          </Group>
        </Paper>
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
