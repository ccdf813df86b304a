import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/callApi.ts'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { withElevation } from '../../api/withElevation.ts'
import { ConfirmModal } from '../../parts/ConfirmModal.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Section } from '../../parts/Section.tsx'
import type { WalletProvider } from '../../wallet/askWallet.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'

type LinkAnswer = { address: string; movedAgents: string[] }

/** The wallets that are linked to the account, and the way to link another. */
export function WalletsSection({ wallets }: { wallets: readonly string[] }) {
  const [linked, setLinked] = useState<LinkAnswer | null>(null)
  const queries = useQueryClient()
  const link = async (provider: WalletProvider) => {
    setLinked(await linkWallet(provider))
    const touched = ['/api/me', '/api/agents', '/api/step-up-approvals']
    await Promise.all(touched.map((path) => queries.invalidateQueries({ queryKey: [path] })))
  }
  return (
    <Section
      title="Wallets"
      description="A linked wallet signs in to this account, and the agents that its key registers belong to it."
    >
      {wallets.length === 0 ? (
        <Text c="dimmed">
          None yet. Link the wallet whose key registered your agents: they come along, and what they ask for
          can be approved here.
        </Text>
      ) : (
        <Stack gap="xs">
          {wallets.map((address) => (
            <LinkedWallet key={address} address={address} />
          ))}
        </Stack>
      )}
      <WalletButtons label="Link" onChoose={link} />
      {linked && (
        <Alert color="teal" icon={<Icon name="check" />} title="The wallet is linked" role="status">
          {movedInWords(linked.movedAgents.length)}
        </Alert>
      )}
    </Section>
  )
}

async function linkWallet(provider: WalletProvider): Promise<LinkAnswer> {
  const { signSiweMessage } = await import('../../wallet/signSiweMessage.ts')
  const body = await signSiweMessage(provider, 'Link this wallet to an account of the agent registry.')
  return withElevation((elevation) =>
    callApi<LinkAnswer>({ method: 'POST', path: '/api/auth/siwe', body, elevation }),
  )
}

function movedInWords(agents: number): string {
  if (agents === 0) return 'It had no agents; those that it registers from now on belong to this account.'
  return agents === 1
    ? 'Its agent belongs to this account now.'
    : `Its ${agents} agents belong to this account now.`
}

/** A wallet that is linked to the account, and the way to take it from it. */
function LinkedWallet({ address }: { address: string }) {
  const [isAsked, setAsked] = useState(false)
  const change = useApiMutation({ invalidates: ['/api/me', '/api/auth/sessions'] })
  return (
    <Group justify="space-between" gap="sm">
      <CopyText text={address} name="wallet address" />
      <Button
        variant="light"
        color="red"
        size="xs"
        onClick={() => setAsked(true)}
        aria-label={`Remove the wallet ${address}`}
      >
        Remove
      </Button>
      <ConfirmModal
        opened={isAsked}
        title="Remove this wallet?"
        action="Remove the wallet"
        change={change}
        onConfirm={() => change.mutate({ method: 'DELETE', path: `/api/auth/wallets/${address}` })}
        onClose={() => setAsked(false)}
      >
        It signs in to this account no more, and the other sessions that a wallet opened end. The agents that
        its key registered stay here; the key can no longer act for them.
      </ConfirmModal>
    </Group>
  )
}
