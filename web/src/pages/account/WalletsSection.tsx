import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useState } from 'react'
import { callElevated } from '../../api/callApi.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { withFreshProof } from '../../api/withFreshProof.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { CopyText } from '../../parts/code/CopyText.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import type { WalletProvider } from '../../wallet/askWallet.ts'
import { useWallets } from '../../wallet/useWallets.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'

/** Lists the linked wallets; links and removes them. */
export function WalletsSection({ wallets }: { wallets: readonly string[] }) {
  const [linked, setLinked] = useState<AnswerOf<'POST /api/auth/siwe'> | null>(null)
  const invalidate = useInvalidate()
  const link = async (provider: WalletProvider) => {
    setLinked(await linkWallet(provider))
    await invalidate(['GET /api/me', 'GET /api/agents', 'GET /api/step-up-approvals'])
  }
  return (
    <Section
      title="Wallets"
      description="You can sign in with a linked wallet, and the agents registered with its key belong to this account."
    >
      {wallets.length === 0 ? (
        <Text c="dimmed">
          None yet. Link the wallet whose key registered your agents to add them to this account and approve
          their requests here.
        </Text>
      ) : (
        <Stack gap="xs">
          {wallets.map((address) => (
            <LinkedWallet key={address} address={address} />
          ))}
        </Stack>
      )}
      {useWallets().length === 0 ? (
        <Text c="dimmed">
          To link one, open this page in a browser with a wallet extension, or in your wallet’s own browser.
        </Text>
      ) : (
        <WalletButtons label="Link" onChoose={link} />
      )}
      {linked && 'movedAgents' in linked && (
        <Alert color="teal" icon={<Icon name="check" />} title="Wallet linked" role="status">
          {describeMovedAgents(linked.movedAgents.length)}
        </Alert>
      )}
    </Section>
  )
}

async function linkWallet(provider: WalletProvider): Promise<AnswerOf<'POST /api/auth/siwe'>> {
  const { signSiweMessage } = await import('../../wallet/signSiweMessage.ts')
  const body = await signSiweMessage(provider, 'Link this wallet to an account of the agent registry.')
  return withFreshProof((elevation) => callElevated('POST /api/auth/siwe', { body }, elevation))
}

function describeMovedAgents(agents: number): string {
  if (agents === 0) return 'It has no agents yet. Any that it registers will belong to this account.'
  return agents === 1
    ? 'Its agent now belongs to this account.'
    : `Its ${agents} agents now belong to this account.`
}

/** A linked wallet, with a button to remove it. */
function LinkedWallet({ address }: { address: string }) {
  const [isAsking, setAsking] = useState(false)
  const change = useApiMutation('DELETE /api/auth/wallets/:address', {
    invalidates: ['GET /api/me', 'GET /api/auth/sessions'],
    says: 'Removed',
  })
  return (
    <Group justify="space-between" gap="sm">
      <CopyText text={address} name="wallet address" />
      <Button
        variant="light"
        color="red"
        size="xs"
        onClick={() => setAsking(true)}
        aria-label={`Remove wallet ${address}`}
      >
        Remove
      </Button>
      <ConfirmModal
        opened={isAsking}
        title="Remove this wallet?"
        action="Remove wallet"
        change={change}
        onConfirm={() => change.mutate({ params: { address } })}
        onClose={() => setAsking(false)}
      >
        You can no longer sign in with it, and other sessions started with a wallet will end. The agents
        registered with its key stay in this account, but the key can no longer act for them.
      </ConfirmModal>
    </Group>
  )
}
