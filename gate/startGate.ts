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

/** Starts a gate with its health and metrics. @throws Error if it cannot listen. */
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
  const url = await listen(gate.server, settings.listen)
  const adminUrl = settings.admin && (await listen(admin, settings.admin))
  return {
    ...{ url, adminUrl },
    async stop() {
      isStopping = true
      await gate.stop()
      admin.closeAllConnections()
      admin.close()
    },
  }
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const { address, port: actual } = server.address() as AddressInfo
  return `http://${address.includes(':') ? `[${address}]` : address}:${actual}`
}
