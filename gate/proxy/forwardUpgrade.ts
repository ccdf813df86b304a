import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { passHeaders } from './passHeaders.ts'
import { toUpstreamFailure, type Upstream, UpstreamFailure } from './upstream.ts'

type UpgradeForwarding = { req: IncomingMessage; socket: Duplex; head: Buffer; headers: string[] }

/**
 * Sends the request for a websocket on to the server, and then every byte both ways until one side ends.
 *
 * Other protocols are not offered to the server, which answers such a request as any other (RFC 9110 §7.8): over `h2c`,
 * further requests would pass without being verified.
 *
 * @throws UpstreamFailure if the server does not answer, or changes the protocol unasked; nothing has been sent to the
 *   caller then.
 */
export function forwardUpgrade(
  upstream: Upstream,
  { req, socket, head, headers }: UpgradeForwarding,
): Promise<void> {
  const { upgrade = '' } = req.headers
  const isWebsocket = upgrade.trim().toLowerCase() === 'websocket'
  const asking = isWebsocket ? [...headers, 'Connection', 'Upgrade', 'Upgrade', upgrade] : headers
  const opened = upstream.open({ method: req.method ?? 'GET', path: req.url ?? '/', headers: asking })
  const leave = () => opened.destroy()
  socket.once('close', leave)
  opened.end()
  return new Promise((resolve, reject) => {
    opened.once('error', (error) => {
      if (socket.destroyed) resolve()
      else reject(toUpstreamFailure(error))
    })
    opened.once('upgrade', (answer, server: Duplex, first: Buffer) => {
      if (!isWebsocket) {
        server.destroy()
        reject(new UpstreamFailure('unreachable'))
        return
      }
      writeHead(socket, answer, ['Connection', 'Upgrade', 'Upgrade', answer.headers.upgrade ?? upgrade])
      if (first.length > 0) socket.write(first)
      if (head.length > 0) server.write(head)
      join(socket, server).then(resolve)
    })
    opened.once('response', (answer) => {
      // It declines, or was not asked. The connection ends with the response, so it cannot be used again.
      writeHead(socket, answer, ['Connection', 'close'])
      join(socket, answer).then(resolve)
    })
  })
}

function writeHead(socket: Duplex, answer: IncomingMessage, added: readonly string[]): void {
  const { statusCode, statusMessage } = answer
  const fields = [...passHeaders(answer), ...added]
  let head = `HTTP/1.1 ${statusCode} ${statusMessage}\r\n`
  for (let at = 0; at + 1 < fields.length; at += 2) head += `${fields[at]}: ${fields[at + 1]}\r\n`
  socket.write(`${head}\r\n`, 'latin1')
}

/** Passes bytes on until either side has ended or failed, and then ends both. */
function join(socket: Duplex, server: Duplex | IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      socket.destroy()
      server.destroy()
      resolve()
    }
    for (const side of [socket, server]) side.once('error', end).once('close', end)
    server.pipe(socket)
    if ('write' in server) socket.pipe(server)
  })
}
