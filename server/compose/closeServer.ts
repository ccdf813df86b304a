import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'

/** Time in which requests that are already on their way over kept connections arrive. */
const ARRIVAL_MS = 250
/** How long requests that were accepted may still take. */
const DRAIN_MS = 5_000

/**
 * Stops accepting, answers what is on its way, and ends connections that are idle or too slow.
 *
 * A kept connection looks idle while its next request is on the wire; so each one gets its answer first, with the word
 * that it was the last. Node's own `close` would cut them at once, which is why only the listener is closed here.
 */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('Connection', 'close')
  })
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()))
  await Promise.race([closed, pauseFor(ARRIVAL_MS)])
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(deadline)
}
