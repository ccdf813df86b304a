import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { createGate } from './createGate.ts'
import type { CommonSettings, ListenAddress } from './settings/gateSettings.ts'

/** A gate that listens. */
export type RunningGate = {
  /** `http://host:port`. */
  url: string
  /** The same of health and metrics; null if there are none. */
  adminUrl: string | null
  stop(): Promise<void>
}

/** A gate that does not listen yet. */
export type Gate = ReturnType<typeof createGate>

/**
 * Starts a gate with its health and metrics.
 *
 * @throws Error that names the setting, if one of them cannot listen. Nothing listens then: a gate that only half started
 *   would keep its process alive.
 */
export async function startGate(
  gate: Gate,
  settings: Pick<CommonSettings, 'listen' | 'admin'>,
): Promise<RunningGate> {
  let isStopping = false
  const admin = createServer(async (req, res) => {
    if (req.url === '/healthz') res.writeHead(isStopping ? 503 : 200).end(isStopping ? 'stopping\n' : 'ok\n')
    else if (req.url === '/metrics') {
      const { metrics } = gate
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.metrics())
    } else res.writeHead(404).end()
  })
  const stop = async () => {
    isStopping = true
    await gate.stop()
    admin.closeAllConnections()
    admin.close()
  }
  try {
    const url = await listen(gate.server, 'listen', settings.listen)
    const adminUrl = settings.admin && (await listen(admin, 'admin', settings.admin))
    return { url, adminUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function listen(server: Server, setting: string, { host, port }: ListenAddress): Promise<string> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new Error(`${setting}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  const { address, port: actual } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actual}`
}
