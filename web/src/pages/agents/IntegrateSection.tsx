import { Text } from '@mantine/core'
import { buildAgentSnippets } from '../../parts/code/agentSnippets.ts'
import { SnippetTabs } from '../../parts/code/SnippetTabs.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'

/** How the agent presents itself and signs its requests: snippets with its identifier. */
export function IntegrateSection({ svcId }: { svcId: string }) {
  return (
    <Section
      title="Use the agent in your code"
      description="With a key of its own, the agent signs its requests, so that nobody else can act in its name. Replace the address by that of the API it calls."
    >
      <SnippetTabs snippets={buildAgentSnippets({ origin: window.location.origin, svcId })} />
      <Text size="sm" c="dimmed">
        At its first start, the snippet prints the public half of a new key: add it under{' '}
        <TextLink to={`/agents/${svcId}?tab=keys`}>Keys</TextLink>. <code>@svc/client</code> comes with this
        service: run <code>npm run build:client && npm pack ./client/dist/package</code> in its folder, and
        install the file in your project.
      </Text>
    </Section>
  )
}
