import { Agent, request } from 'node:http'
import type { HostileRequest } from './hostileRequest.ts'

/** An answer as it came, or what came instead. */
export type HostileAnswer = {
  status: number
  type: string
  headers: Readonly<Record<string, unknown>>
  body: string
}

/** An answer that takes longer is taken for none. */
const HANG_MS = 20_000
const CONNECTIONS = 32

/**
 * Sends requests over connections that it keeps; `close` ends them.
 *
 * @param round Each round comes from an address of its own, which has budgets of its own.
 */
export function openSender(baseUrl: string, credentials: readonly Record<string, string>[], round: number) {
  const localAddress = `127.1.${Math.floor(round / 250) % 250}.${(round % 250) + 1}`
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' })
  const { hostname, port } = new URL(baseUrl)

  /** @throws Error when the connection ends without an answer, or none comes in twenty seconds. */
  async function send(one: HostileRequest): Promise<HostileAnswer> {
    try {
      return await sendOnce(one)
    } catch (error) {
      // A kept connection may be closed at the very moment it is used again, which proves nothing.
      if (error instanceof Error && 'isReused' in error && error.isReused === true) return sendOnce(one)
      throw error
    }
  }

  function sendOnce({ method, target, headers, body, credential }: HostileRequest): Promise<HostileAnswer> {
    return new Promise((resolve, reject) => {
      const req = request({
        ...{ agent, hostname, port, localAddress, method, path: target },
        headers: {
          ...credentials[credential],
          ...headers,
          ...(body === null ? {} : { 'content-length': String(body.length) }),
        },
      })
      const timer = setTimeout(() => req.destroy(new Error(`no answer in ${HANG_MS} ms`)), HANG_MS)
      req.on('error', (error) => {
        clearTimeout(timer)
        reject(
          Object.assign(error, {
            isReused: req.reusedSocket && 'code' in error && error.code === 'ECONNRESET',
          }),
        )
      })
      req.on('response', (res) => {
        const type = res.headers['content-type'] ?? ''
        const settle = (text: string) => {
          clearTimeout(timer)
          resolve({ status: res.statusCode ?? 0, type, headers: res.headers, body: text })
        }
        // A stream of events goes on until somebody leaves.
        if (type.startsWith('text/event-stream')) {
          settle('')
          req.destroy()
          return
        }
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => settle(Buffer.concat(chunks).toString()))
      })
      req.end(body ?? undefined)
    })
  }

  return { send, close: () => agent.destroy() }
}
