import { Alert, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../api/callApi.ts'
import { withElevation } from '../api/withElevation.ts'
import { Icon } from '../parts/Icon.tsx'
import { Section } from '../parts/Section.tsx'
import { WalletButtons } from '../wallet/WalletButtons.tsx'
import type { WalletProvider } from '../wallet/walletChoice.ts'
import { LinkedWallet } from './LinkedWallet.tsx'

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
  const { signSiweMessage } = await import('../wallet/signSiweMessage.ts')
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
