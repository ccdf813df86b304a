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
import { buildRegistrationExamples } from './buildRegistrationExamples.ts'

/** Last step: registers the agent with a browser wallet, or shows how to do so with another key. */
export function SignStep({ body }: { body: object }) {
  const wallets = useWallets()
  const [registered, setRegistered] = useState<RegisteredAgent | null>(null)
  if (registered) return <Registered agent={registered} />
  return (
    <Stack>
      <Text>
        The key that signs becomes the permanent owner of the agent and its on-chain token. No gas is needed.
      </Text>
      {wallets.length > 0 && (
        <>
          <WalletButtons
            label="Sign and register with"
            onChoose={async (provider) => setRegistered(await registerWithWallet(provider, body))}
          />
          <Divider label="or with another key" />
        </>
      )}
      {wallets.length === 0 && (
        <Text c="dimmed" size="sm">
          No wallet was found in this browser. Sign the request elsewhere, with the client library or on the
          command line.
        </Text>
      )}
      <Commands body={body} />
    </Stack>
  )
}

function Commands({ body }: { body: object }) {
  const examples = buildRegistrationExamples(window.location.origin, body)
  return (
    <Tabs defaultValue="typescript">
      <Tabs.List mb="sm">
        <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
        <Tabs.Tab value="shell">curl</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="typescript">
        <CodeBlock code={examples.typescript} name="Register this agent with TypeScript" />
      </Tabs.Panel>
      <Tabs.Panel value="shell">
        <CodeBlock code={examples.shell} name="Register this agent with curl" />
        <Text size="sm" c="dimmed" mt="xs">
          <code>cast</code> is part of Foundry; any tool that signs a message per EIP-191 (personal_sign)
          works.
        </Text>
      </Tabs.Panel>
    </Tabs>
  )
}

function Registered({ agent }: { agent: RegisteredAgent }) {
  return (
    <Stack>
      <Alert color="teal" icon={<Icon name="check" />} title={`${agent.name} is registered`} role="status">
        Its token is being minted at the service’s expense. To manage the agent as its owner, sign in with the
        same wallet or link the wallet under Account.
      </Alert>
      <Facts
        facts={[
          ['Identifier', <CopyText key="id" text={agent.svcId} name="agent identifier" />],
          ['Owner', <CopyText key="owner" text={agent.owner} name="owner’s address" />],
          ['Trust score', String(agent.trustScore)],
        ]}
      />
      <Group>
        <LinkButton to={`/agents/${agent.svcId}`}>Go to the agent</LinkButton>
      </Group>
    </Stack>
  )
}
