import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'

/** Time for requests already in transit on kept-alive connections to arrive. */
const ARRIVAL_MS = 250
/** Time for accepted requests to finish. */
const FINISH_MS = 5_000

export type ClosingOptions = {
  /** Resolves once balancers have noticed; until then, everything is still served. By default, none is waited for. */
  drain?: () => Promise<void>
  /** Ends the responses that would not end by themselves. */
  endStreams?: () => void
}

/**
 * Drains, stops accepting connections, answers requests in transit, and closes connections that are idle or too slow.
 *
 * From the start, every response has `Connection: close`, so that kept-alive connections move to other processes. Later,
 * such a connection looks idle while its next request is in transit. Node's own `close` would cut it immediately, which is
 * why only the listener is closed here.
 */
export async function closeServer(server: Server, { drain, endStreams }: ClosingOptions = {}): Promise<void> {
  server.prependListener('request', (_req: IncomingMessage, res: ServerResponse) => {
    res.setHeader('Connection', 'close')
  })
  await drain?.()
  endStreams?.()
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()))
  await Promise.race([closed, pauseFor(ARRIVAL_MS)])
  server.closeIdleConnections()
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_MS)
  await closed
  clearTimeout(deadline)
}
