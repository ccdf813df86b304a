// Own code: an HTTP client that resolves names itself could connect to another address than the checked one.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from '@svc/core/url/ipAddress.ts'
import { createResolveHost, type ResolveHost, resolveBySystem } from './resolveHost.ts'

const RESPONSE_BYTES_MAX = 64 * 1024

const resolveByServers = createResolveHost()

/** Headers that continue the current trace elsewhere; none outside a trace. */
export type TraceHeaders = () => Readonly<Record<string, string>>

type OutboundOptions = {
  allowPrivate: boolean
  timeoutMs: number
  maxBytes?: number
  /** Default the system where private addresses are allowed, otherwise name servers. */
  resolve?: ResolveHost
  /** Continues the trace at the receiver. */
  traceHeaders?: TraceHeaders | undefined
}

type OutboundResponse = { status: number; body: string }

/** Posts JSON to a URL that a user supplied. */
export type PostJson = (url: string, body: object) => Promise<OutboundResponse>

/** Reads text from a URL that a user supplied. */
export type GetText = (
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<OutboundResponse & { headers: IncomingHttpHeaders }>

/**
 * Creates the guarded client for URLs that users supply: a POST of JSON.
 *
 * The connection goes to the address that was checked, so a second lookup cannot redirect it (DNS rebinding). Redirects are
 * not followed, time and size are bounded, and no connection is reused.
 *
 * @throws Error for a refused address, a timeout, a response that is too long, or a failed connection.
 */
export function createPostJson(options: OutboundOptions): PostJson {
  return async (url, body) => {
    const payload = JSON.stringify(body)
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(payload),
      Accept: 'application/json',
    }
    const { status, body: text } = await send(options, url, { method: 'POST', headers }, payload)
    return { status, body: text }
  }
}

/** Posts text, or bytes, with the given headers and returns the status of the response. */
type PostText = (
  url: string,
  request: { text: string | Uint8Array; headers: Readonly<Record<string, string>>; signal: AbortSignal },
) => Promise<number>

/**
 * Creates the guarded client for URLs that users supply: a POST of text.
 *
 * The body of the response is not read, so a receiver cannot keep the connection open.
 *
 * @throws Error like `createPostJson`, when the signal aborts, and for plain HTTP unless private addresses are allowed.
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
 * Creates the guarded client for URLs that users supply: a GET.
 *
 * @throws Error like `createPostJson`, and for plain HTTP unless private addresses are allowed, because the response decides
 * whom to trust.
 */
export function createGetText(options: OutboundOptions): GetText {
  return async (url, headers = {}) => {
    if (!options.allowPrivate && new URL(url).protocol !== 'https:')
      throw new Error('the address is not HTTPS')
    return send(options, url, { method: 'GET', headers })
  }
}

/** The part of a `fetch` request that `createGuardedFetch` supports. */
type FetchRequest = {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/**
 * Creates the guarded client in the form of `fetch`, for libraries that accept one.
 *
 * Redirects are returned, not followed. The caller's signal is ignored, because time is bounded here.
 *
 * @throws Error like `createPostJson`.
 */
export function createGuardedFetch(options: OutboundOptions) {
  return async (
    url: string,
    { method = 'GET', headers = {}, body }: FetchRequest = {},
  ): Promise<Response> => {
    if (body != null && typeof body !== 'string' && !(body instanceof URLSearchParams)) {
      throw new Error('expected a text body')
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
  request: { method: string; headers: Readonly<OutgoingHttpHeaders> },
  payload?: string | Uint8Array,
): ReturnType<GetText> {
  return new Promise((resolve, reject) => {
    const {
      allowPrivate,
      timeoutMs,
      maxBytes = RESPONSE_BYTES_MAX,
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
      headers: { ...request.headers, ...options.traceHeaders?.() },
      agent: false,
      lookup: guardLookup(allowPrivate, resolveName),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const stop = () => outgoing.destroy(new Error('the request was aborted'))
    options.stop?.addEventListener('abort', stop)
    let hasResponse = false
    outgoing.on('close', () => {
      options.stop?.removeEventListener('abort', stop)
      // After `101 Switching Protocols` the request closes with neither a response nor an error.
      if (!hasResponse) reject(new Error('the connection closed without a response'))
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      hasResponse = true
      if (options.statusOnly) {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: '' })
        incoming.destroy()
        return
      }
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= maxBytes) return void chunks.push(chunk)
        // Rejected here, because a response that has arrived whole ends before the error is emitted.
        reject(new Error('the response is too long'))
        outgoing.destroy()
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

/** Resolves the name once and passes on only the checked addresses, so that the connection cannot go elsewhere. */
function guardLookup(allowPrivate: boolean, resolve: ResolveHost): LookupFunction {
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
