import { serviceOperations } from '@svc/core/contract/service.ts'
import type { PublishedApi } from '../openapi/createPublishedApi.ts'
import { operation } from '../operation.ts'

export const getOpenApi = operation({
  summary: 'Returns the OpenAPI 3.1 document of this API.',
  answer: serviceOperations['GET /api/openapi.json'].answer,
  errors: [],
  isPublicDocument: true,
  handle: (parts: { service: { publishedApi: PublishedApi } }) => () => ({
    body: parts.service.publishedApi(),
    contentType: 'application/json; charset=utf-8',
  }),
})

/** Source: the proposal at llmstxt.org. */
export const getLlmsTxt = operation({
  summary: 'Returns an overview of the service for language models, as Markdown.',
  mediaType: 'text/plain',
  answer: serviceOperations['GET /llms.txt'].answer,
  errors: [],
  handle: (parts: { service: { publicUrl: string } }) => () => ({
    body: renderLlmsTxt(parts.service.publicUrl),
    contentType: 'text/plain; charset=utf-8',
    headers: { 'Cache-Control': 'public, max-age=3600' },
  }),
})

function renderLlmsTxt(base: string): string {
  return `# Agent verification and endpoint registry

> May this agent do this here, now? Agents and endpoints register with their boundaries. Every decision is recorded, and
> every record can be proven against a chain.

- An agent registers with a signed request (EIP-191) and gets an identifier, \`SVC-…\`, which is not a credential.
- An endpoint calls \`POST /api/agents/verify-access\` with an API key before it serves an agent.
- Errors have a \`code\`, a \`message\` and a \`requestId\`.

## For agents

- [MCP server](${base}/mcp): the tools register_agent, request_registration, poll_registration, verify_agent and search_docs, over streamable HTTP
- [OpenAPI document](${base}/api/openapi.json): every operation with its schemas
- [Registrations](${base}/.well-known/agent-registration.json): the agents of this service that are registered on chain (ERC-8004)

## For people

- [Documentation](${base}/docs/): quickstarts, concepts, guides and operations
- [API reference](${base}/docs/reference): every operation, with examples and requests to try
- [Dashboard](${base}/): approvals, agents, endpoints and the audit log

## Optional

- [Health](${base}/api/health): the state of the service and its components
- [Signing keys](${base}/.well-known/jwks.json): public keys of access tokens, agent cards and receipts
- [Audit log key](${base}/api/audit/key): public key of the log's checkpoints
`
}
