import { Alert, Divider, Group, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../parts/CodeBlock.tsx'
import { CopyText } from '../../parts/CopyText.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { type RegisteredAgent, registerWithWallet } from '../../wallet/registerWithWallet.ts'
import { useWallets } from '../../wallet/useWallets.ts'
import { WalletButtons } from '../../wallet/WalletButtons.tsx'
import { registrationExamples } from './registrationExamples.ts'

/** Registers the agent by a wallet of this browser, or says how to do it with a key elsewhere. */
export function SignStep({ body }: { body: object }) {
  const wallets = useWallets()
  const [registered, setRegistered] = useState<RegisteredAgent | null>(null)
  if (registered) return <Registered agent={registered} />
  return (
    <Stack>
      <Text>
        The key that signs is the owner: the agent is its for good, and so is the token on chain. It takes no
        gas.
      </Text>
      {wallets.length > 0 && (
        <>
          <WalletButtons
            label="Sign and register with"
            onChoose={async (provider) => setRegistered(await registerWithWallet(provider, body))}
          />
          <Divider label="or with a key elsewhere" />
        </>
      )}
      {wallets.length === 0 && (
        <Text c="dimmed" size="sm">
          No wallet was found in this browser, so the request is signed elsewhere: with the client library or
          on the command line.
        </Text>
      )}
      <Commands body={body} />
    </Stack>
  )
}

function Commands({ body }: { body: object }) {
  const examples = registrationExamples(window.location.origin, body)
  return (
    <Tabs defaultValue="typescript">
      <Tabs.List mb="sm">
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        <Tabs.Tab value="shell">curl</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="typescript">
        <CodeBlock code={examples.typescript} name="Registers this agent, in TypeScript" />
      </Tabs.Panel>
      <Tabs.Panel value="shell">
        <CodeBlock code={examples.shell} name="Registers this agent, with curl" />
        <Text size="sm" c="dimmed" mt="xs">
          <code>cast</code> is Foundry’s; anything that signs a text by EIP-191 (personal_sign) will do.
        </Text>
      </Tabs.Panel>
    </Tabs>
  )
}

function Registered({ agent }: { agent: RegisteredAgent }) {
  return (
    <Stack>
      <Alert color="teal" icon={<Icon name="check" />} title={`${agent.name} is registered`} role="status">
        Its token is being minted; the service pays for it. Sign in with the same wallet, or link it under
        Account, to see and change the agent as its owner.
      </Alert>
      <Facts
        facts={[
          ['Identifier', <CopyText key="id" text={agent.svcId} name="agent identifier" />],
          ['Owner’s key', <CopyText key="owner" text={agent.owner} name="owner’s address" />],
          ['Trust score', String(agent.trustScore)],
        ]}
      />
      <Group>
        <LinkButton to={`/agents/${agent.svcId}`}>Go to the agent</LinkButton>
      </Group>
    </Stack>
  )
}
