import { bytesOf } from '../http/bytes.ts'
import type { AgentSigner } from './agentSigner.ts'
import { type SignatureOptions, signHttpRequest } from './signHttpRequest.ts'

/** Whose requests are signed, and how. */
export type SignedFetchOptions = SignatureOptions & {
  /** Sends the signed requests; default the platform's `fetch`. */
  fetch?: typeof fetch | undefined
}

/**
 * Creates a `fetch` that signs each request with a key of the agent. Pass it to `createPresenter`, which sets the agent's
 * headers before the signature covers them.
 *
 * The digest of the body is covered, so the whole body must be known: a text, bytes, `URLSearchParams`, `Blob` or
 * `FormData`, also in a `Request`; a stream is refused. Redirects are not followed, because a signature is good for one URL
 * and another site must not choose what the agent signs: the caller gets the redirect as its response, and may send a
 * request there.
 *
 * @throws Error as `signHttpRequest`; TypeError for a body that cannot be signed.
 */
export function signFetch(signer: AgentSigner, options: SignedFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const { fetch: fetchIt = fetch, ...signature } = options
    const request = isRequest(input) ? input : undefined
    const url = request?.url ?? String(input)
    const method = (init.method ?? request?.method ?? 'GET').toUpperCase()
    const headers = new Headers(init.headers ?? request?.headers)
    const body = await readBody(init.body ?? undefined, request, headers)
    const signed = await signHttpRequest(signer, { method, url, headers, body }, signature)
    for (const [name, value] of Object.entries(signed)) headers.set(name, value)
    const isStrict = (init.redirect ?? request?.redirect) === 'error'
    const sent: RequestInit = { ...init, method, headers, redirect: isStrict ? 'error' : 'manual' }
    if (body !== undefined) sent.body = bytesOf(body)
    return request === undefined ? fetchIt(url, sent) : fetchIt(new Request(request, sent))
  }
}

/** A `Request` of another realm or library is one too. */
function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'url' in input
}

async function readBody(
  body: BodyInit | undefined,
  request: Request | undefined,
  headers: Headers,
): Promise<Uint8Array | undefined> {
  if (body === undefined) {
    const bytes = request?.body === null ? undefined : await request?.clone().arrayBuffer()
    return bytes === undefined || bytes.byteLength === 0 ? undefined : new Uint8Array(bytes)
  }
  if (!isWhole(body)) {
    throw new TypeError(
      'a signed body is text, bytes, URLSearchParams, a Blob or FormData, not a stream or an object',
    )
  }
  const encoded = new Response(body)
  const type = encoded.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  return new Uint8Array(await encoded.arrayBuffer())
}

/** `fetch` would send any other object as the text `[object Object]`. */
function isWhole(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    [ArrayBuffer, URLSearchParams, Blob, FormData].some((kind) => body instanceof kind)
  )
}
