import type { Snippet } from '../../../parts/code/SnippetTabs.tsx'
import { SAMPLE_REQUEST } from './sampleAgent.ts'

type Input = {
  /** Of the service, without a slash at the end. */
  origin: string
  /** Null if the page does not know it: the snippets then have `API_KEY_PLACEHOLDER`. */
  apiKey: string | null
  svceId: string
  /** Of the endpoint. */
  counterpartyUrl: string
  sampleAgentId: string
}

/** Stands in snippets for an API key that is no longer known. */
export const API_KEY_PLACEHOLDER = 'YOUR_API_KEY'

/** Builds the snippets that protect an endpoint, the plain request first. A test runs each of them. */
export function buildSnippets(input: Input): Snippet[] {
  const options = buildOptions(input)
  const local = buildCall('http://localhost:8080/', input)
  return [
    { id: 'curl', tab: 'curl', name: 'Request a decision', code: buildCurl(input), test: null },
    { id: 'express', tab: 'Express', name: 'server.ts, Express', code: buildExpress(options), test: local },
    { id: 'fastify', tab: 'Fastify', name: 'server.ts, Fastify', code: buildFastify(options), test: local },
    {
      ...{ id: 'fetch', tab: 'Next.js', name: 'app/api/[[...path]]/route.ts, or any fetch handler' },
      ...{ code: buildFetch(options), test: buildCall(input.counterpartyUrl, input) },
    },
    {
      ...{ id: 'nginx', tab: 'nginx', name: 'nginx.conf, in the section http' },
      ...{ code: NGINX, start: { name: 'The gate, in the service’s folder', code: buildGateCommand(input) } },
      test: buildCall('http://localhost:8000/', input),
    },
    {
      ...{ id: 'mcp', tab: 'MCP', name: 'server.ts, MCP over stdio' },
      ...{ code: buildMcp(options), test: buildMcpCall(input) },
    },
  ]
}

function buildOptions({ origin, apiKey, svceId }: Input): string {
  return `{
  apiBaseUrl: '${origin}/api',
  apiKey: '${apiKey ?? API_KEY_PLACEHOLDER}', // on a server, read it from the environment
  counterpartyId: '${svceId}',
}`
}

function buildCurl({ origin, apiKey, svceId, sampleAgentId }: Input): string {
  const body = { agentId: sampleAgentId, counterpartyId: svceId, ...SAMPLE_REQUEST }
  return `curl -sS -X POST ${origin}/api/agents/verify-access \\
  -H 'Authorization: Bearer ${apiKey ?? API_KEY_PLACEHOLDER}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2)}'`
}

function buildExpress(options: string): string {
  return `import { gateway } from '@svc/client/express'
import express from 'express'

const app = express()
app.use(express.json())
app.use(gateway(${options}))

app.get('/', (req, res) => {
  res.json({ hello: req.agent?.name })
})
app.listen(process.env.PORT ?? 8080)`
}

function buildFastify(options: string): string {
  return `import { gateway } from '@svc/client/fastify'
import Fastify from 'fastify'

const app = Fastify()
app.addHook('preHandler', gateway(${options}))

app.get('/', async (request) => ({ hello: request.agent?.name }))
await app.listen({ port: Number(process.env.PORT ?? 8080) })`
}

function buildFetch(options: string): string {
  return `import { gateway } from '@svc/client/fetch'

const guard = gateway(${options})

export const GET = guard((request, { agent }) => Response.json({ hello: agent?.name }))
export const POST = GET`
}

/** Source: gate/examples/nginx.conf, to which a test compares it. */
const NGINX = `server {
  listen 127.0.0.1:8000;

  location / {
    auth_request /.svc-gate;
    auth_request_set $svc_access_level $upstream_http_x_svc_access_level;
    auth_request_set $svc_recommendation $upstream_http_x_svc_recommendation;
    auth_request_set $svc_identity_proof $upstream_http_x_svc_identity_proof;
    auth_request_set $svc_receipt $upstream_http_x_svc_receipt;
    proxy_set_header X-Svc-Access-Level $svc_access_level;
    proxy_set_header X-Svc-Recommendation $svc_recommendation;
    proxy_set_header X-Svc-Identity-Proof $svc_identity_proof;
    proxy_set_header X-Svc-Receipt $svc_receipt;
    proxy_set_header X-HTTP-Method "";
    proxy_set_header X-HTTP-Method-Override "";
    proxy_set_header X-Method-Override "";
    proxy_set_header X-Original-URL "";
    proxy_set_header X-Rewrite-URL "";
    proxy_set_header HTTP2-Settings "";
    proxy_set_header Host $http_host;
    proxy_pass http://127.0.0.1:8080; # your API
  }

  location = /.svc-gate {
    internal;
    proxy_pass http://127.0.0.1:8081; # the gate
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header X-Forwarded-Method $request_method;
    proxy_set_header X-Forwarded-Uri $request_uri;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Forwarded-For $remote_addr;
  }
}`

function buildGateCommand({ origin, apiKey, svceId }: Input): string {
  return `SVC_API_KEY=${apiKey ?? API_KEY_PLACEHOLDER} npm run svc-gate -- --forward-auth headers \\
  --endpoint ${svceId} --api ${origin}/api`
}

function buildMcp(options: string): string {
  return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createGateway } from '@svc/client'

const { verify } = createGateway(${options})

const server = new McpServer({ name: 'products', version: '1.0.0' })
server.registerTool('list_products', { description: 'Lists the products.' }, async ({ _meta }) => {
  const outcome = await verify({ metadata: _meta ?? {}, fields: { resource: '/products' } })
  const text = outcome.passes ? 'cable, monitor' : JSON.stringify(outcome.refusal.body)
  return { isError: !outcome.passes, content: [{ type: 'text', text }] }
})
await server.connect(new StdioServerTransport())`
}

function buildCall(url: string, { sampleAgentId }: Input): string {
  return `curl -i '${url.replaceAll("'", '%27')}' \\
  -H 'X-Svc-Id: ${sampleAgentId}' \\
  -H 'X-Svc-Purpose: ${SAMPLE_REQUEST.purpose}'`
}

function buildMcpCall({ sampleAgentId }: Input): string {
  const _meta = { 'X-Svc-Id': sampleAgentId, 'X-Svc-Purpose': SAMPLE_REQUEST.purpose }
  const params = { name: 'list_products', arguments: {}, _meta }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2)
}
