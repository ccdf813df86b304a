import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createGateway, type RequestFacts, type Verified } from '@svc/client'
import express from 'express'
import { z } from 'zod'
import { setting } from '../setting.ts'

/** Prices in euro. */
const PRODUCTS: Readonly<Record<string, number>> = { cable: 12, monitor: 240, workstation: 4900 }

const port = Number(setting('PORT', '4001'))
const { verify } = createGateway({
  apiBaseUrl: setting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
  apiKey: setting('SVC_API_KEY'),
  counterpartyId: setting('SVC_MCP_SERVER_ID'),
})

/**
 * Runs a tool for an agent that was verified for this very call; others get the refusal as the tool's error.
 *
 * Who calls stands in the call's `_meta`; what is asked for, in `fields`.
 */
async function verified(
  metadata: RequestFacts['metadata'],
  fields: RequestFacts['fields'],
  run: (caller: Partial<Verified>) => string,
): Promise<CallToolResult> {
  const outcome = await verify({ metadata: metadata ?? {}, fields })
  if (outcome.passes) return { content: [{ type: 'text', text: run(outcome.verified) }] }
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(outcome.refusal.body) }] }
}

function createTools(): McpServer {
  const server = new McpServer({ name: 'example-products', version: '1.0.0' })

  server.registerTool(
    'list_products',
    { description: 'Lists the products and their prices in euro.' },
    ({ _meta }) => verified(_meta, { resource: '/catalogue' }, () => JSON.stringify(PRODUCTS)),
  )

  server.registerTool(
    'buy_product',
    { description: 'Buys one product.', inputSchema: { product: z.string() } },
    async ({ product }, { _meta }) => {
      const price = Object.hasOwn(PRODUCTS, product) ? PRODUCTS[product] : undefined
      if (price === undefined)
        return { isError: true, content: [{ type: 'text', text: `no ${product} here` }] }
      const fields = { resource: '/orders', transactionValue: price, currency: 'EUR' }
      return verified(_meta, fields, ({ agent }) => `${product} for ${price} EUR, sold to ${agent?.name}`)
    },
  )

  return server
}

const app = express()
app.use(express.json({ limit: '100kb' }))

// Stateless: each message is answered by a server of its own, so that nothing of one caller is left for the next.
app.post('/mcp', async (req, res) => {
  const server = createTools()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  res.on('close', () => void server.close())
  await server.connect(transport)
  await transport.handleRequest(req, res, req.body)
})

const listening = app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    console.error(`The MCP server cannot listen on port ${port}: ${error.message}`)
    process.exit(1)
  }
  console.log(`MCP server listening on http://localhost:${port}/mcp`)
})
process.on('SIGTERM', () => listening.close())
process.on('SIGINT', () => listening.close())
