import { serviceOperations } from '@svc/core/contract/service.ts'
import type { PublishedApi } from '../openapi/publishedApi.ts'
import { operation } from '../operation.ts'

/** Source: api.md "Approvals, activity, audit". */
export const getOpenApi = operation({
  summary: 'Describes every operation as an OpenAPI 3.1 document.',
  answer: serviceOperations['GET /api/openapi.json'].answer,
  errors: [],
  handle: (parts: { service: { publishedApi: PublishedApi } }) => () => ({
    body: parts.service.publishedApi().json,
    contentType: 'application/json; charset=utf-8',
  }),
})

/** Source: api.md "Approvals, activity, audit". */
export const getDocs = operation({
  summary: 'Shows the reference of every operation as a page.',
  mediaType: 'text/html',
  answer: serviceOperations['GET /docs'].answer,
  errors: [],
  handle: (parts: { service: { publishedApi: PublishedApi } }) => {
    return () => ({
      body: parts.service.publishedApi().page,
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" },
    })
  },
})

/** Source: the proposal at llmstxt.org. */
export const getLlmsTxt = operation({
  summary: 'Tells language models what is here and where to read on, as Markdown.',
  mediaType: 'text/plain',
  answer: serviceOperations['GET /llms.txt'].answer,
  errors: [],
  handle: (parts: { service: { publicUrl: string } }) => () => ({
    body: llmsTxt(parts.service.publicUrl),
    contentType: 'text/plain; charset=utf-8',
    headers: { 'Cache-Control': 'public, max-age=3600' },
  }),
})

function llmsTxt(base: string): string {
  return `# Agent verification and endpoint registry

> May this agent do this, here, now? Agents and endpoints register with their boundaries; every decision is recorded and
> can be proven against a chain.

- An agent registers by a signed request (EIP-191) and gets an identifier, \`SVC-…\`. The identifier is no credential.
- An endpoint's owner asks \`POST /api/agents/verify-access\` with an API key before it serves an agent.
- Errors have a \`code\`, a \`message\` and a \`requestId\`.

## For agents

- [MCP server](${base}/mcp): tools register_agent, request_registration, poll_registration, verify_agent and search_docs, by streamable HTTP
- [OpenAPI document](${base}/api/openapi.json): every operation with its schemas
- [Registered identities](${base}/.well-known/agent-registration.json): ERC-8004 registrations of this service

## For people

- [Reference](${base}/docs): every operation as a page
- [Dashboard](${base}/): approvals, agents, endpoints and the audit log

## Optional

- [Health](${base}/api/health): how the service feels
- [Keys of access tokens](${base}/.well-known/jwks.json)
- [Key of the audit log](${base}/api/audit/key)
`
}
