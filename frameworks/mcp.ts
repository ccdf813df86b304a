import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createToolCaller } from '@svc/client/mcp'
import type { Purchase } from './shop.ts'

/** Orders by a tool of the shop's MCP server, and returns the text of the result, which a model would be given. */
export async function buyByMcp(
  { agent, shopUrl, counterpartyId, waitMs, wait }: Purchase,
  sku: string,
): Promise<string> {
  const client = new Client({ name: 'buyer', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${shopUrl}/mcp`)))
  try {
    const callTool = createToolCaller(agent, client, { purpose: 'shopping:buy', waitMs, wait })
    const intent = { audience: counterpartyId, currency: 'EUR' }
    const { content } = await callTool({ name: 'order', arguments: { sku } }, { intent })
    return JSON.stringify(content)
  } finally {
    await client.close()
  }
}
