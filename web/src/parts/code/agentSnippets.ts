import type { Snippet } from './SnippetTabs.tsx'

type Input = {
  /** Of the service, without a slash at the end. */
  origin: string
  svcId: string
}

/** Where the agent of a snippet goes: replaced by whoever pastes it. */
export const COUNTERPARTY_PLACEHOLDER = 'https://api.example.com/'

/**
 * Builds the snippets with which an agent presents itself: signed with a key of its own, in an MCP call, and, to compare, by
 * name only. A test runs each of them.
 */
export function buildAgentSnippets({ origin, svcId }: Input): Snippet[] {
  const client = `const key = await openAgentKey('agent.jwk') // generated at the first start: keep it secret
console.log(JSON.stringify(await exportPublicKey(key))) // add this public half under Keys`
  const imports = (names: string) => `import { ${names} } from '@svc/client'
import { openAgentKey } from '@svc/client/node'`
  return [
    {
      ...{ id: 'http', tab: 'HTTP', name: 'agent.ts, signed requests', test: null },
      code: `${imports('createAgentClient, exportPublicKey')}

${client}

const agent = createAgentClient({
  apiBaseUrl: '${origin}/api',
  svcId: '${svcId}',
  key,
  purpose: 'shopping:browse',
})
const response = await agent.fetch('${COUNTERPARTY_PLACEHOLDER}')
console.log(response.status, await response.text())`,
    },
    {
      ...{ id: 'mcp', tab: 'MCP', name: 'agent.ts, an MCP call with a signed proof', test: null },
      code: `${imports('createAgentClient, createIntentProof, exportPublicKey')}

${client}

const facts = { purpose: 'shopping:browse' }
const agent = createAgentClient({ apiBaseUrl: '${origin}/api', svcId: '${svcId}', key, ...facts })
const audience = new URL('${COUNTERPARTY_PLACEHOLDER}').origin // or the SVCE- identifier of the endpoint
const proof = await createIntentProof(key, { agentId: '${svcId}', audience, ...facts })
const params = { name: 'list_products', arguments: {}, ...agent.mcpMeta({ proof }) }
console.log(JSON.stringify(params)) // pass them to callTool() of your MCP client`,
    },
    {
      ...{ id: 'curl', tab: 'curl', name: 'Only names the agent, which proves nothing', test: null },
      code: `curl -i '${COUNTERPARTY_PLACEHOLDER}' \\
  -H 'X-Svc-Id: ${svcId}' \\
  -H 'X-Svc-Purpose: shopping:browse'`,
    },
  ]
}
