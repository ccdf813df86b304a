import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { TABLE } from '../../../server/routes/index.ts'

type Served = { request: IncomingMessage; response: ServerResponse }

/** The request during which code runs, whichever service of this process serves it. */
const current = new AsyncLocalStorage<Served>()
/** What was found, by the port of the service. */
const found = new Map<number, Set<string>>()

/** Operations that wait only for hosts which the operator named: identity providers. */
const OF_OPERATOR = /^\/api\/auth\/oauth\//

const OPERATIONS = TABLE.map(([method, path, , , operation]) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`),
  waits: 'waitsForHost' in operation,
}))

let isWatching = false

/**
 * Watches the HTTP requests that a service sends while it serves one, and returns a function that ends the watch.
 *
 * Every test that starts a service thus finds operations that reach the client for URLs of users (`outboundHttp`) although
 * the table does not say that they wait. Nodes of chains are reached by `fetch`, which this does not see.
 *
 * @returns The operations that do not say so, and where they sent a request.
 */
export function watchOutbound(port: number): () => string[] {
  if (!isWatching) watch()
  isWatching = true
  found.set(port, new Set())
  return () => {
    const undeclared = [...(found.get(port) ?? [])]
    found.delete(port)
    return undeclared
  }
}

function watch(): void {
  subscribe('http.server.request.start', (message) => current.enterWith(message as Served))
  subscribe('http.client.request.start', (message) => {
    const served = current.getStore()
    if (served === undefined || served.response.writableEnded) return
    const { method, url = '', socket } = served.request
    const undeclared = found.get(socket.localPort ?? 0)
    const [path = ''] = url.split('?')
    const operation = OPERATIONS.find((row) => row.method === method && row.pattern.test(path))
    if (undeclared === undefined || operation === undefined) return
    if (operation.waits || OF_OPERATOR.test(path)) return
    const { host } = (message as { request: ClientRequest }).request
    undeclared.add(`${operation.method} ${operation.path} → ${host}`)
  })
}
