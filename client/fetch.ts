import type { GatewayOutcome, Unverified, Verified } from './gateway/createGateway.ts'
import { BODY_BYTES_MAX, isProving, type ReceivedBody } from './gateway/receivedBody.ts'
import { setPassThroughHeaders } from './gateway/setPassThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'
import { readBytes } from './http/readResponse.ts'
import { createReusingGateway, type ReusingGatewayOptions } from './reuse/createReusingGateway.ts'

export { fetchChallengeHandler as challengeHandler } from './agent/fetchChallengeHandler.ts'
export { verifyWebhookAsync as verifyWebhook } from './webhooks/verifyWebhookAsync.ts'
export type { WebhookFault, WebhookHeaders, WebhookToVerify, WebhookVerdict } from './webhooks/webhook.ts'

/** Options of the gateway for Fetch-style handlers. */
export type FetchGatewayOptions = ReusingGatewayOptions & {
  /** Adds what only the application knows of a request. It must read the body only from `request.clone()`. */
  describeRequest?(request: Request): VerificationFields | Promise<VerificationFields>
  /**
   * With `reuseGrantSeconds`: what a request takes of the `transactionValue` that the service is asked for, so that one
   * grant covers several requests; default all of it.
   */
  useValueOf?(request: Request): number | undefined
  /**
   * Returns the host that the caller addressed, where the platform puts a configured one into the URL or a proxy replaces
   * the `Host` header. By default, and for null, it is that of `Host`, and a request whose URL names another one is refused.
   */
  hostOf?(request: Request): string | null | undefined
  /**
   * Returns the path and query that the caller addressed, where a framework has removed the beginning of the path, as
   * `mount` of Hono does; without it, routes of the endpoint would not match. Better, wrap the outermost handler.
   */
  targetOf?(request: Request): string | undefined
  /** Returns the caller's IP address if the platform knows it; headers of the caller are never trusted. */
  sourceIpOf?(request: Request): string | undefined
}

/** A Fetch-style handler behind the gateway. */
export type Handler<Rest extends unknown[]> = (
  request: Request,
  verified: Verified | Unverified,
  ...rest: Rest
) => Response | Promise<Response>

/**
 * Creates the gateway for Fetch-style handlers (Next.js routes, Hono, Deno, Bun, edge runtimes). The handler receives the
 * request and, as its second argument, the result of the verification.
 *
 * `ready`, a property of the gateway, tells whether the check at start has passed. A platform that allows no calls outside a
 * request (Cloudflare Workers) needs `disableInitChecks`, or the gateway is created with a warning.
 *
 * Hono treats the second argument as its environment: with `gateway(options)(app.fetch)` it is `c.env`.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway(options: FetchGatewayOptions) {
  const { verify, ready, settle } = createReusingGateway(options)
  const guard =
    <Rest extends unknown[]>(handler: Handler<Rest>) =>
    async (request: Request, ...rest: Rest): Promise<Response> => {
      const outcome = await verify(async () => ({
        method: request.method,
        ...readTarget(request, options.hostOf?.(request), options.targetOf?.(request)),
        body: await readBody(request, options.bodyBytesMax),
        sourceIp: options.sourceIpOf?.(request),
        fields: await options.describeRequest?.(request),
        useValue: options.useValueOf?.(request),
        signal: request.signal,
      }))
      if (!outcome.passes) {
        const { status, headers, text } = outcome.refusal
        return new Response(text, { status, headers })
      }
      const response = await handler(copyRequest(request, options, outcome), outcome.verified, ...rest)
      return addHeaders(response, outcome.headers)
    }
  return Object.assign(guard, { ready, settle })
}

/**
 * Reads where a request was sent to. Runtimes take the URL from the target, which may name another host than `Host`.
 *
 * Next.js takes no host from the target; of a server of one's own, its URL has the address on which it listens.
 */
function readTarget(request: Request, named: string | null | undefined, addressed: string | undefined) {
  const { protocol, host, pathname, search } = new URL(request.url)
  const isNamed = typeof named === 'string'
  const target = addressed ?? pathname + search
  return {
    target: isNamed || 'nextUrl' in request ? target : `${protocol}//${host}${target}`,
    headers: { host, ...Object.fromEntries(request.headers), ...(isNamed && { host: named }) },
    scheme: protocol.slice(0, -1),
  }
}

/** Reads the body from a copy, so that the handler can read it too. Only a proof needs its digest. */
async function readBody(request: Request, bytesMax = BODY_BYTES_MAX): Promise<ReceivedBody | undefined> {
  const { body, bodyUsed, headers } = request
  if (!isProving(Object.fromEntries(headers))) return undefined
  if (body === null) return ''
  if (bodyUsed) return { unread: 'consumed' }
  const isLong = Number(headers.get('content-length') ?? 0) > bytesMax
  return (isLong ? undefined : await readBytes(request.clone(), bytesMax)) ?? { unread: 'too_long' }
}

/** Copies the request with its pass-through headers, because the headers of a request cannot be changed. */
function copyRequest(request: Request, options: FetchGatewayOptions, outcome: GatewayOutcome): Request {
  const headers = new Headers(request.headers)
  setPassThroughHeaders(headers, options, outcome)
  return new Request(request, { headers })
}

/** Copies the response, because the headers of some responses cannot be changed. */
function addHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  if (Object.keys(headers).length === 0) return response
  const copy = new Response(response.body, response)
  for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value)
  return copy
}
