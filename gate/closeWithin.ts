import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

const CLOSING_KEEP_ALIVE_MS = 1_000

/** Closes a server: it accepts no more requests, and those in progress have `graceMs`. @param sockets Upgraded ones. */
export async function closeWithin(
  server: Server,
  sockets: ReadonlySet<Duplex>,
  graceMs: number,
): Promise<void> {
  // Of those that become idle from now on.
  server.keepAliveTimeout = CLOSING_KEEP_ALIVE_MS
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
  for (const socket of sockets) socket.destroy()
}
