// Own code: an HTTP client that resolves names itself could connect to another address than the checked one.
import { type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from '@svc/core/url/ipAddress.ts'
import { createResolveHost, type ResolveHost, resolveBySystem } from './resolveHost.ts'

/** Most bytes of an answer that are read. Source: faults.md row 17. */
const MAX_ANSWER_BYTES = 64 * 1024

const resolveByServers = createResolveHost()

type OutboundOptions = {
  allowPrivate: boolean
  timeoutMs: number
  maxBytes?: number
  /** Finds the addresses of a name; unless given, the system does where private addresses may be meant, else name servers. */
  resolve?: ResolveHost
}

type OutboundAnswer = { status: number; body: string }

/** Posts JSON to an address that somebody else wrote down. */
export type PostJson = (url: string, body: object) => Promise<OutboundAnswer>

/** Reads a text at an address that somebody else wrote down. */
export type GetText = (
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<OutboundAnswer & { headers: IncomingHttpHeaders }>

/**
 * The one way out to addresses that users register: a POST of JSON.
 *
 * The name is resolved by us and the connection goes to the very address that was judged, so that a second look-up
 * cannot lead elsewhere (DNS rebinding). Redirects are not followed, time and size are bounded, no connection is kept.
 *
 * @throws Error for a refused address, a time-out, an answer that is too long or any failure of the connection.
 */
export function createPostJson(options: OutboundOptions): PostJson {
  return async (url, body) => {
    const payload = JSON.stringify(body)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      Accept: 'application/json',
    }
    const { status, body: answer } = await send(options, url, { method: 'POST', headers }, payload)
    return { status, body: answer }
  }
}

/** Posts a text with headers of its own and looks only at the status of the answer. */
type PostText = (
  url: string,
  request: { text: string; headers: Readonly<Record<string, string>>; signal: AbortSignal },
) => Promise<number>

/**
 * The one way out to addresses that users register: a POST of a text, guarded as that of JSON is.
 *
 * The answer is over with its status: what follows it is not read, so that nobody can hold the connection by it.
 *
 * @throws Error as the POST of JSON does, when the signal is given, and for plain HTTP where private addresses are refused.
 */
export function createPostText(options: OutboundOptions): PostText {
  return async (url, { text, headers, signal }) => {
    if (!options.allowPrivate && new URL(url).protocol !== 'https:')
      throw new Error('the address is not HTTPS')
    const request = { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(text) } }
    const { status } = await send({ ...options, statusOnly: true, stop: signal }, url, request, text)
    return status
  }
}

/**
 * The one way out to addresses that users register: a GET, guarded as the POST is.
 *
 * @throws Error as the POST does, and for plain HTTP where private addresses are refused: what is read decides who is
 * believed.
 */
export function createGetText(options: OutboundOptions): GetText {
  return async (url, headers = {}) => {
    if (!options.allowPrivate && new URL(url).protocol !== 'https:')
      throw new Error('the address is not HTTPS')
    return send(options, url, { method: 'GET', headers })
  }
}

/** What `createGuardedFetch` understands of a request. */
type FetchRequest = {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/**
 * The same way out in the form of `fetch`, for libraries that are given one.
 *
 * Redirects come back as they are, and the caller's own signal is not needed: time is bounded here.
 *
 * @throws Error as the POST does.
 */
export function createGuardedFetch(options: OutboundOptions) {
  return async (
    url: string,
    { method = 'GET', headers = {}, body }: FetchRequest = {},
  ): Promise<Response> => {
    if (body != null && typeof body !== 'string' && !(body instanceof URLSearchParams)) {
      throw new Error('expected a body of text')
    }
    const payload = body == null ? undefined : String(body)
    const length = payload === undefined ? {} : { 'Content-Length': Buffer.byteLength(payload) }
    const answer = await send(options, url, { method, headers: { ...headers, ...length } }, payload)
    const type = answer.headers['content-type']
    const hasNoBody = [204, 205, 304].includes(answer.status)
    return new Response(hasNoBody ? null : answer.body, {
      status: answer.status,
      ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
    })
  }
}

function send(
  options: OutboundOptions & { statusOnly?: boolean; stop?: AbortSignal },
  url: string,
  request: Pick<RequestOptions, 'method' | 'headers'>,
  payload?: string,
): ReturnType<GetText> {
  return new Promise((resolve, reject) => {
    const {
      allowPrivate,
      timeoutMs,
      maxBytes = MAX_ANSWER_BYTES,
      resolve: resolveName = allowPrivate ? resolveBySystem : resolveByServers,
    } = options
    const target = new URL(url)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (!allowPrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
      reject(new Error('the address is not public'))
      return
    }
    const open = target.protocol === 'https:' ? requestHttps : requestHttp
    const outgoing = open(target, {
      ...request,
      agent: false,
      lookup: guardedLookup(allowPrivate, resolveName),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const stop = () => outgoing.destroy(new Error('the request was stopped'))
    options.stop?.addEventListener('abort', stop)
    let isAnswered = false
    outgoing.on('close', () => {
      options.stop?.removeEventListener('abort', stop)
      // One that is told "switching protocols" closes without an answer and without an error.
      if (!isAnswered) reject(new Error('the connection ended without an answer'))
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      isAnswered = true
      if (options.statusOnly) {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: '' })
        incoming.destroy()
        return
      }
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) outgoing.destroy(new Error('the answer is too long'))
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body })
      })
    })
    outgoing.end(payload)
  })
}

/** Resolves once and hands on what was judged, so that a name cannot mean another address to the connection. */
function guardedLookup(allowPrivate: boolean, resolve: ResolveHost): LookupFunction {
  return (hostname, lookupOptions, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, '', 4)
      const allowed = addresses.filter(({ address }) => allowPrivate || !isPrivateAddress(address))
      const first = allowed[0]
      if (!first) return callback(new Error('the address is not public'), '', 4)
      if (lookupOptions.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }
}
