import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, signHeaders } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

/** The path of a registration, which its signature covers whatever way it is sent. */
export const REGISTER_PATH = '/api/agents/register'

/** A service that asks few strangers, a shop, and clients of its MCP server as the protocol's own library makes them. */
export async function openMcp() {
  const service = await startService({ settings: { OUTREACH_RATE_PER_HOUR: '2' } })
  const shop = await createOrganisation(service.baseUrl)
  const open: Client[] = []

  return {
    service,
    shop,
    /** A client with this credential, or with none. */
    async connect(key?: string): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' })
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const transport = new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), {
        requestInit: { headers },
      })
      // The library's own type of a session's name does not fit its interface when optional members are exact.
      await client.connect(transport as Parameters<Client['connect']>[0])
      open.push(client)
      return client
    },
    /** Sends a message, or what is none, without the library. */
    send: (body: unknown, headers: Record<string, string> = {}) =>
      api(service.baseUrl, 'POST', '/mcp', {
        body,
        headers: { accept: 'application/json, text/event-stream', ...headers },
      }),
    async close() {
      for (const client of open) await client.close()
      await service.stop()
    },
  }
}

/** Calls a tool, and sees that its answer says the same as text and as data. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text = '' } = {}] = content as { text?: string }[]
  expect(JSON.parse(text)).to.deep.equal(structuredContent)
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by their documented names
  return { body: structuredContent as any, isError: isError === true }
}

/** The arguments of `register_agent`: a registration as text, and its signature by a new key unless one is given. */
export async function signedArguments(
  registration: object,
  signer = privateKeyToAccount(generatePrivateKey()),
) {
  const body = JSON.stringify(registration)
  const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body })
  return {
    body,
    signature: headers['x-svc-signature'] ?? '',
    timestamp: headers['x-svc-timestamp'] ?? '',
    nonce: headers['x-svc-nonce'] ?? '',
    address: signer.address,
  }
}
