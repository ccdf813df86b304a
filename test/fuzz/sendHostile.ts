import { Agent, request } from 'node:http'
import type { HostileRequest } from './arbitraryRequest.ts'
import type { FuzzCredential, Headers } from './fuzzCredential.ts'

/** A response as received. */
export type HostileAnswer = {
  status: number
  type: string
  headers: Readonly<Record<string, unknown>>
  body: string
}

/** A response that takes longer counts as missing. */
const HANG_MS = 20_000
const CONNECTIONS = 32

/**
 * Sends requests over keep-alive connections; `close` ends them.
 *
 * @param round Each round comes from an address of its own, with rate limits of its own.
 */
export function openSender(baseUrl: string, credentials: readonly FuzzCredential[2][], round: number) {
  const localAddress = `127.1.${Math.floor(round / 250) % 250}.${(round % 250) + 1}`
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, scheduling: 'fifo' })
  const { hostname, port } = new URL(baseUrl)

  /** @throws Error if the connection ends without a response, or none arrives within twenty seconds. */
  async function send(one: HostileRequest): Promise<HostileAnswer> {
    try {
      return await sendOnce(one, await headersOf(one))
    } catch (error) {
      // An idle connection may be closed at the moment it is reused, which is not a fault.
      if (error instanceof Error && 'isReused' in error && error.isReused === true)
        return sendOnce(one, await headersOf(one))
      throw error
    }
  }

  async function headersOf(one: HostileRequest): Promise<Headers> {
    const credential = credentials[one.credential] ?? {}
    return typeof credential === 'function' ? credential(one) : credential
  }

  function sendOnce(
    { method, target, headers, body }: HostileRequest,
    credential: Headers,
  ): Promise<HostileAnswer> {
    return new Promise((resolve, reject) => {
      const req = request({
        ...{ agent, hostname, port, localAddress, method, path: target },
        headers: {
          ...credential,
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
        // An event stream never ends by itself.
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
