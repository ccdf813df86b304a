import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { GatewayRefusal } from '@svc/client/gateway/gatewayRefusal.ts'

/** For how long the rest of a refused body is read and dropped, so that its sender gets to read the refusal. */
const DRAIN_MS = 1_000

type Refusal = Pick<GatewayRefusal, 'status' | 'headers' | 'text'>

/** Answers a request that does not pass. A connection with an unread body is closed, because the body may never end. */
export function sendRefusal(res: ServerResponse, { status, headers, text }: Refusal): void {
  if (res.headersSent) {
    res.destroy()
    return
  }
  const { req } = res
  const isRead = req.complete
  res.writeHead(status, { ...headers, ...(isRead ? {} : { Connection: 'close' }) })
  res.end(text)
  if (isRead) return
  req.resume()
  const timer = setTimeout(() => req.destroy(), DRAIN_MS)
  req.once('close', () => clearTimeout(timer))
}

/** The same on a connection whose request was to change the protocol. */
export function sendSocketRefusal(socket: Duplex, { status, headers, text }: Refusal): void {
  const body = Buffer.from(text)
  const all = { ...headers, 'Content-Length': String(body.length), Connection: 'close' }
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${fields.join('')}\r\n`),
      body,
    ]),
  )
}

/** Builds a refusal of the gate itself. Source: RFC 9457. */
export function buildProblem(status: number, detail: string): Refusal {
  const title = STATUS_CODES[status] ?? 'Error'
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
    text: JSON.stringify({ type: 'about:blank', title, status, detail }),
  }
}
