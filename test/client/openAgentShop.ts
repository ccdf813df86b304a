import { type AgentCard, Role } from '@a2a-js/sdk'
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createGateway } from '@svc/client'
import { captureBody, gateway } from '@svc/client/express'
import express, { type Request } from 'express'
import { z } from 'zod'
import { registerEndpoint } from '../builders/participants.ts'
import { listen } from '../harness/peers/listen.ts'

/** In euro. */
const PRICES: Readonly<Record<string, number>> = { cable: 12, monitor: 240, workstation: 4900 }

/** Opens a shop that sells to agents by HTTP, by MCP and by A2A. Each order is verified, and has to be signed. */
export async function openAgentShop(baseUrl: string, apiKey: string) {
  const app = express()
  const server = await listen(app)
  const { host } = new URL(server.url)
  const counterpartyId = await registerEndpoint(baseUrl, apiKey, {
    ...{ authorities: [host], minIdentityProof: 'signature' },
  })
  const options = { apiBaseUrl: `${baseUrl}/api`, apiKey, counterpartyId }
  const guard = gateway<Request>({
    ...options,
    describeRequest: ({ body }) => ({ transactionValue: PRICES[skuOf(body)], currency: 'EUR' }),
  })
  const a2a = createSellingAgent(`${server.url}/a2a`)
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: a2a }))
  app.use(express.json({ verify: captureBody }))
  app.post('/mcp', createMcpRoute(options))
  app.post('/orders', guard, (req, res) => void res.status(201).json({ ordered: skuOf(req.body) }))
  app.use('/a2a', guard, jsonRpcHandler({ requestHandler: a2a, userBuilder: UserBuilder.noAuthentication }))
  return { ...server, counterpartyId }
}

/** Of an order by HTTP, or of an A2A message. */
function skuOf(body: { sku?: string; params?: { message: { parts: { text: string }[] } } }): string {
  return body.sku ?? body.params?.message.parts[0]?.text ?? ''
}

/** An MCP server whose tool verifies each call by its `_meta`. */
function createMcpRoute(options: { apiBaseUrl: string; apiKey: string; counterpartyId: string }) {
  const { verify } = createGateway(options)
  return async (req: Request, res: express.Response): Promise<void> => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' })
    const inputSchema = { sku: z.string() }
    server.registerTool('order', { inputSchema }, async ({ sku }, { _meta }): Promise<CallToolResult> => {
      const outcome = await verify({
        metadata: _meta ?? {},
        fields: { resource: '/orders', transactionValue: PRICES[sku], currency: 'EUR' },
      })
      const body = outcome.passes ? { ordered: sku } : outcome.refusal.body
      return { isError: !outcome.passes, content: [{ type: 'text', text: JSON.stringify(body) }] }
    })
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    res.on('close', () => void server.close())
    await server.connect(transport as Parameters<McpServer['connect']>[0])
    await transport.handleRequest(req, res, req.body)
  }
}

/** An A2A agent that confirms the order of each message. */
function createSellingAgent(url: string): DefaultRequestHandler {
  const card: AgentCard = {
    ...{ name: 'Seller', description: 'Sells', version: '1.0.0', provider: undefined, capabilities: {} },
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
    ...{ securitySchemes: {}, securityRequirements: [], skills: [], signatures: [] },
    ...{ defaultInputModes: ['text'], defaultOutputModes: ['text'] },
  } as unknown as AgentCard
  return new DefaultRequestHandler(card, new InMemoryTaskStore(), {
    async execute({ userMessage, contextId }, bus) {
      const content = userMessage.parts[0]?.content
      const value = `{"ordered":"${content?.$case === 'text' ? content.value : ''}"}`
      const parts = [
        { content: { $case: 'text' as const, value }, metadata: undefined, filename: '', mediaType: '' },
      ]
      const reply = { messageId: crypto.randomUUID(), role: Role.ROLE_AGENT, parts, contextId }
      bus.publish(
        AgentEvent.message({
          ...reply,
          ...{ taskId: '', metadata: undefined, extensions: [], referenceTaskIds: [] },
        }),
      )
      bus.finished()
    },
    cancelTask: async () => undefined,
  })
}
