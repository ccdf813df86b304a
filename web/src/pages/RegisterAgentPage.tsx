import { Anchor, List, Stack, Tabs, Text } from '@mantine/core'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Section } from '../parts/Section.tsx'
import { registrationExamples } from './registrationExamples.ts'

/** How an agent is registered: where an endpoint's advice to a caller without identity leads. */
export function RegisterAgentPage() {
  const examples = registrationExamples(window.location.origin)
  return (
    <>
      <PageHeader
        title="Register an agent"
        description="One signed request gives an agent an identifier, a trust score and a token on chain. It takes a key, no account and no gas."
      />
      <Stack gap="lg">
        <Section
          title="The request"
          description="The key that signs is the owner. Keep it: the agent is its owner’s for good, and so is the token."
        >
          <Tabs defaultValue="typescript">
            <Tabs.List mb="sm">
              <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
              <Tabs.Tab value="shell">curl</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="typescript">
              <CodeBlock code={examples.typescript} name="Registers an agent, in TypeScript" />
            </Tabs.Panel>
            <Tabs.Panel value="shell">
              <CodeBlock code={examples.shell} name="Registers an agent, with curl" />
              <Text size="sm" c="dimmed" mt="xs">
                <code>cast</code> is Foundry’s; anything that signs a text by EIP-191 (personal_sign) will do.
              </Text>
            </Tabs.Panel>
          </Tabs>
        </Section>
        <Section title="What to say about it">
          <List spacing="xs" maw={720}>
            <List.Item>
              <b>pdlss</b> is the boundary: what the agent may do at most. It never changes; nobody but the
              owner can read it, not even the agent.
            </List.Item>
            <List.Item>
              <b>model</b> and <b>framework</b> raise the trust score, and never change either.
            </List.Item>
            <List.Item>
              <b>apiEndpoint</b> is where the service may ask the agent itself whether a request is its own.
            </List.Item>
          </List>
        </Section>
        <Section title="Then, with every request">
          <Text maw={720}>
            The agent names itself in the header <code>X-Svc-Id</code>, and says in <code>X-Svc-Purpose</code>{' '}
            what it wants (<code>category:action</code>). The counterparty asks this service whether that may
            be. Any part of the interface is described in the <Anchor href="/docs">reference</Anchor>.
          </Text>
        </Section>
      </Stack>
    </>
  )
}
