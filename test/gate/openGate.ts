import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GateSettings } from '@svc/gate/settings/gateSettings.ts'
import { startGate } from '@svc/gate/startGate.ts'
import { GRANT } from '../client/gateway/openFakeService.ts'
import { listen } from '../harness/peers/listen.ts'

export const ENDPOINT = `SVCE-${'B'.repeat(22)}`

type Answer = (body: { agentId?: string; callerMetadata: Record<string, string> }) => object

/** Grants what names an agent, and denies the rest. */
const answerByAgent: Answer = ({ agentId }) =>
  agentId === undefined
    ? {
        ...GRANT,
        access: { allowed: false, accessLevel: 'none', reason: 'no agent' },
        recommendation: 'deny',
      }
    : GRANT

/**
 * Opens a gate before a server, with a registry that answers as given, and lists what that was asked and what the gate
 * warned of.
 *
 * @param serve The server behind the gate; null for a gate that a proxy asks.
 */
export async function openGate(
  serve: ((req: IncomingMessage, res: ServerResponse) => unknown) | URL | null,
  { answer = answerByAgent, ...settings }: Partial<GateSettings> & { answer?: Answer } = {},
) {
  const asked: Parameters<Answer>[0][] = []
  const warnings: string[] = []
  const registry = await listen(async (req, res) => {
    let text = ''
    for await (const chunk of req) text += chunk
    res.setHeader('content-type', 'application/json')
    if (req.method !== 'POST') return void res.end('{"success":true,"endpoint":{"routes":[]}}')
    const body = JSON.parse(text)
    asked.push(body)
    res.end(JSON.stringify(answer(body)))
  })
  const server = typeof serve === 'function' ? await listen(serve) : null
  const upstream = server !== null ? new URL(server.url) : serve instanceof URL ? serve : null
  const gate = await startGate(
    {
      ...{ listen: { host: '127.0.0.1', port: 0 }, admin: { host: '127.0.0.1', port: 0 }, upstream },
      ...{ question: 'headers', trustProxy: false, connectMs: 2_000, responseMs: 5_000, graceMs: 200 },
      gateway: { apiBaseUrl: `${registry.url}/api`, apiKey: 'k', counterpartyId: ENDPOINT },
      ...settings,
    },
    (text) => void warnings.push(text),
  )
  const metrics = async () => (await fetch(`${gate.adminUrl}/metrics`)).text()
  return {
    ...{ gate, url: gate.url, upstream: server, asked, warnings, metrics },
    async stop() {
      await gate.stop()
      await Promise.all([registry.stop(), server?.stop()])
    },
  }
}
