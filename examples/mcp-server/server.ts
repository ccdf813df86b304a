import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createGateway, type RequestFacts, type Verified } from '@svc/client'
import express from 'express'
import { z } from 'zod'
import { readSetting } from '../readSetting.ts'

/** Prices in euro. */
const PRODUCTS: Readonly<Record<string, number>> = { cable: 12, monitor: 240, workstation: 4900 }

const port = Number(readSetting('PORT', '4001'))
const { verify } = createGateway({
  apiBaseUrl: readSetting('SVC_API_BASE_URL', 'http://localhost:3000/api'),
  apiKey: readSetting('SVC_API_KEY'),
  counterpartyId: readSetting('SVC_MCP_SERVER_ID'),
})

/**
 * Runs a tool once the calling agent has been verified for this call; otherwise the refusal becomes the tool's error.
 *
 * The call's `_meta` identifies the agent; `fields` describe the request.
 */
async function runVerified(
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
    ({ _meta }) => runVerified(_meta, { resource: '/catalogue' }, () => JSON.stringify(PRODUCTS)),
  )

  server.registerTool(
    'buy_product',
    { description: 'Buys one product.', inputSchema: { product: z.string() } },
    async ({ product }, { _meta }) => {
      const price = Object.hasOwn(PRODUCTS, product) ? PRODUCTS[product] : undefined
      if (price === undefined)
        return { isError: true, content: [{ type: 'text', text: `no such product: ${product}` }] }
      const fields = { resource: '/orders', transactionValue: price, currency: 'EUR' }
      return runVerified(_meta, fields, ({ agent }) => `${product} for ${price} EUR, sold to ${agent?.name}`)
    },
  )

  return server
}

const app = express()
app.use(express.json({ limit: '100kb' }))

// Stateless: each message gets its own server instance, so nothing carries over from one caller to the next.
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
