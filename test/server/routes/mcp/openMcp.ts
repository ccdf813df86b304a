import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, signHeaders } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { startService } from '../../../harness/service/startService.ts'

/** The path that the signature of a registration covers, however it is sent. */
export const REGISTER_PATH = '/api/agents/register'

/** Starts a service that sends few registration requests, with a shop and clients of its MCP server. */
export async function openMcp() {
  const service = await startService({ settings: { OUTREACH_RATE_PER_HOUR: '2' } })
  const shop = await createOrganisation(service.baseUrl)
  const open: Client[] = []

  return {
    service,
    shop,
    /** Connects the library's client, with a credential or without one. */
    async connect(key?: string): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' })
      const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const transport = new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), {
        requestInit: { headers },
      })
      // The library's transport does not satisfy its own interface under `exactOptionalPropertyTypes`.
      await client.connect(transport as Parameters<Client['connect']>[0])
      open.push(client)
      return client
    },
    /** Sends any body without the library. */
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

/** Calls a tool and checks that the text and the structured content of its result are the same. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text = '' } = {}] = content as { text?: string }[]
  expect(JSON.parse(text)).to.deep.equal(structuredContent)
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses by their documented names
  return { body: structuredContent as any, isError: isError === true }
}

/** The arguments of `register_agent`: a registration as text, signed by the given account or a new one. */
export async function signedArguments(
  registration: object,
  signer = privateKeyToAccount(generatePrivateKey()),
) {
  const body = JSON.stringify(registration)
  const service = 'http://localhost:3000'
  const headers = await signHeaders(signer, { method: 'POST', path: REGISTER_PATH, body, service })
  return {
    body,
    signature: headers['x-svc-signature'] ?? '',
    timestamp: headers['x-svc-timestamp'] ?? '',
    nonce: headers['x-svc-nonce'] ?? '',
    address: signer.address,
    service,
  }
}
