import type { Server } from 'node:http'

/** How long requests that were accepted may still take. */
const DRAIN_MS = 5_000

/** Stops accepting, lets accepted requests finish, and ends connections that are idle or too slow. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(deadline)
}
