import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { createMcpGate } from '@svc/gate/mcp/createMcpGate.ts'
import { DEFAULT_RULES } from '@svc/gate/mcp/mcpRules.ts'
import type { McpSettings } from '@svc/gate/mcp/mcpSettings.ts'
import { readMcpRules } from '@svc/gate/mcp/readMcpRules.ts'
import { startGate } from '@svc/gate/startGate.ts'
import { QUICK_SETTINGS } from '../openGate.ts'
import { openRegistry, type RegistryAnswer } from '../openRegistry.ts'

/** Opens a gate before an MCP server, with a registry that answers as given, and lists what that was asked. */
export async function openMcpGate(
  server: URL,
  {
    answer,
    routes,
    rules,
    ...changed
  }: Partial<Omit<McpSettings, 'rules' | 'server'>> & {
    answer?: RegistryAnswer
    routes?: readonly object[]
    rules?: object
  } = {},
) {
  const warnings: string[] = []
  const registry = await openRegistry(answer, routes)
  const settings: McpSettings = {
    ...{ ...QUICK_SETTINGS, server, gateway: registry.gateway, messageBytesMax: 1_048_576 },
    rules: rules === undefined ? DEFAULT_RULES : readMcpRules(rules, 'rules.yaml'),
    ...changed,
  }
  const gate = await startGate(
    createMcpGate(server, settings, (text) => void warnings.push(text)),
    settings,
  )
  const url = new URL(`${gate.url}${server.pathname}`)
  const clients: Client[] = []
  return {
    ...{ url, asked: registry.asked, warnings },
    metrics: async () => (await fetch(`${gate.adminUrl}/metrics`)).text(),
    /** Connects the protocol's own client, with these headers. */
    async connect(headers: Record<string, string> = {}, capabilities: ClientCapabilities = {}) {
      const client = new Client({ name: 'test', version: '1' }, { capabilities })
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
      await client.connect(transport)
      clients.push(client)
      return Object.assign(client, { http: transport })
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()))
      await gate.stop()
      await registry.stop()
    },
  }
}

/** The text of a result, with a mark before that of an error. */
export function textOf(result: unknown): string {
  const { content, isError } = result as CallToolResult
  const [first] = content
  return `${isError === true ? 'error: ' : ''}${first?.type === 'text' ? first.text : ''}`
}
