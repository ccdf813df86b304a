import { createGateway, type Unverified } from './gateway/createGateway.ts'
import type { GatewayOptions } from './gateway/gatewayOptions.ts'
import { tellBehind } from './gateway/passThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'
import type { Verified } from './gateway/verified.ts'

/** Options of the gateway for Fetch-style handlers. */
export type FetchGatewayOptions = GatewayOptions & {
  /** What only the application knows of a request; reads a body only from `request.clone()`. */
  describeRequest?(request: Request): VerificationFields | Promise<VerificationFields>
  /** Where the platform knows it; headers of the caller are never believed. */
  sourceIpOf?(request: Request): string | undefined
}

type Handler<Rest extends unknown[]> = (
  request: Request,
  verified: Verified | Unverified,
  ...rest: Rest
) => Response | Promise<Response>

/**
 * The gateway around a Fetch-style handler (Next.js routes, Hono, Deno, Bun, edge runtimes): the handler gets the
 * request and, second, what was verified of it.
 *
 * Hono sees it as its environment: `gateway(options)(app.fetch)` makes it `c.env`.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway(options: FetchGatewayOptions) {
  const { verify } = createGateway(options)
  return <Rest extends unknown[]>(handler: Handler<Rest>) =>
    async (request: Request, ...rest: Rest): Promise<Response> => {
      const url = new URL(request.url)
      const outcome = await verify(async () => ({
        method: request.method,
        target: url.pathname + url.search,
        headers: { host: url.host, ...Object.fromEntries(request.headers) },
        scheme: url.protocol.slice(0, -1),
        sourceIp: options.sourceIpOf?.(request),
        fields: await options.describeRequest?.(request),
        signal: request.signal,
      }))
      if (!outcome.passes) {
        const { status, headers, text } = outcome.refusal
        return new Response(text, { status, headers })
      }
      const response = await handler(behind(request, options, outcome), outcome.verified, ...rest)
      return withHeaders(response, outcome.headers)
    }
}

function behind(
  request: Request,
  options: FetchGatewayOptions,
  outcome: Parameters<typeof tellBehind>[2],
): Request {
  const headers: Record<string, string | string[] | undefined> = Object.fromEntries(request.headers)
  tellBehind(headers, options, outcome)
  const told = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) told.set(name, String(value))
  return new Request(request, { headers: told })
}

/** A copy, because the headers of some responses cannot be changed. */
function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  if (Object.keys(headers).length === 0) return response
  const copy = new Response(response.body, response)
  for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value)
  return copy
}
