import type { IncomingMessage, ServerResponse } from 'node:http'
import { createGate } from '@svc/gate/createGate.ts'
import type { GateSettings } from '@svc/gate/settings/gateSettings.ts'
import { startGate } from '@svc/gate/startGate.ts'
import { listen } from '../harness/peers/listen.ts'
import { openRegistry, type RegistryAnswer } from './openRegistry.ts'

/** Settings of a gate on a free port, with short waits. */
export const QUICK_SETTINGS = {
  ...{ listen: { host: '127.0.0.1', port: 0 }, admin: { host: '127.0.0.1', port: 0 } },
  ...{ trustProxy: 0, connectMs: 2_000, responseMs: 5_000, graceMs: 200 },
}

/**
 * Opens a gate before a server, with a registry that answers as given, and lists what that was asked and what the gate
 * warned of.
 *
 * @param serve The server behind the gate; null for a gate that a proxy asks.
 */
export async function openGate(
  serve: ((req: IncomingMessage, res: ServerResponse) => unknown) | URL | null,
  { answer, ...changed }: Partial<GateSettings> & { answer?: RegistryAnswer } = {},
) {
  const warnings: string[] = []
  const registry = await openRegistry(answer)
  const server = typeof serve === 'function' ? await listen(serve) : null
  const upstream = server !== null ? new URL(server.url) : serve instanceof URL ? serve : null
  const settings: GateSettings = {
    ...{ ...QUICK_SETTINGS, upstream, question: 'headers', gateway: registry.gateway },
    signedBodies: { waitMs: 5_000, bytesMax: 10_485_760 },
    ...changed,
  }
  const gate = await startGate(
    createGate(settings, (text) => void warnings.push(text)),
    settings,
  )
  const metrics = async () => (await fetch(`${gate.adminUrl}/metrics`)).text()
  return {
    ...{
      gate,
      url: gate.url,
      upstream: server,
      asked: registry.asked,
      traces: registry.traces,
      warnings,
      metrics,
    },
    async stop() {
      await gate.stop()
      await Promise.all([registry.stop(), server?.stop()])
    },
  }
}
