import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** Closes a server: it accepts no more requests, and those in progress have `graceMs`. @param sockets Upgraded ones. */
export async function closeWithin(
  server: Server,
  sockets: ReadonlySet<Duplex>,
  graceMs: number,
): Promise<void> {
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
