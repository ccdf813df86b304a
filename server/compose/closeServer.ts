import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'

/** Time for requests already in transit on kept-alive connections to arrive. */
const ARRIVAL_MS = 250
/** Time for accepted requests to finish. */
const DRAIN_MS = 5_000

/**
 * Stops accepting connections, answers requests in transit, and closes connections that are idle or too slow.
 *
 * A kept-alive connection looks idle while its next request is in transit, so each gets that response with `Connection:
 * close`. Node's own `close` would cut such connections immediately, which is why only the listener is closed here.
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
