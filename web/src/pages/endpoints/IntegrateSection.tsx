import { Text } from '@mantine/core'
import type { Endpoint } from '@svc/core/contract/endpoints.ts'
import { useApiQuery } from '../../api/useApiQuery.ts'
import { SnippetTabs } from '../../parts/code/SnippetTabs.tsx'
import { Loaded } from '../../parts/lists/Loaded.tsx'
import { Section } from '../../parts/Section.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { API_KEY_PLACEHOLDER, buildSnippets } from '../overview/firstRun/buildSnippets.ts'

/** How a server asks before it serves: snippets with the identifier of the endpoint. */
export function IntegrateSection({ endpoint }: { endpoint: Endpoint }) {
  const { svceId, id, counterpartyUrl } = endpoint
  const agents = useApiQuery('GET /api/agents', { query: { limit: 100 } })
  return (
    <Section
      title="Ask before you serve"
      description="Put a gateway in front of your API, or request a decision yourself."
    >
      <Text size="sm">
        Replace <code>{API_KEY_PLACEHOLDER}</code> by an API key of the endpoint’s organisation: the service
        stores only a hash of a key. You make new ones under <TextLink to="/api-keys">API keys</TextLink>.
      </Text>
      <Loaded query={agents}>
        {({ items }) => (
          <SnippetTabs
            caller="an agent"
            snippets={buildSnippets({
              ...{ origin: window.location.origin, apiKey: null, svceId: svceId ?? id, counterpartyUrl },
              sampleAgentId:
                items.find(({ agentStatus }) => agentStatus === 'active')?.svcId ?? 'SVC-OF_AN_AGENT',
            })}
          />
        )}
      </Loaded>
    </Section>
  )
}
