import type { Unverified, Verified } from './gateway/createGateway.ts'
import type { GatewayRefusal } from './gateway/gatewayRefusal.ts'
import { type NodeRequest, type NodeResponse, readNodeFacts } from './gateway/readNodeFacts.ts'
import { isProving } from './gateway/receivedBody.ts'
import { removeReceived } from './gateway/removeReceived.ts'
import { setPassThroughHeaders } from './gateway/setPassThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'
import { createReusingGateway, type ReusingGatewayOptions } from './reuse/createReusingGateway.ts'

export { type ChallengeRequest, type ChallengeResponse, challengeHandler } from './agent/challengeHandler.ts'
export type { NodeRequest, NodeResponse } from './gateway/readNodeFacts.ts'
export { type RawRequest, type RawResponse, rawBody } from './webhooks/rawBody.ts'

declare global {
  namespace Express {
    /** The members that `gateway` and `rawBody` add to a request, for users of Express's types. */
    interface Request extends Partial<Verified> {
      rawBody?: Uint8Array | undefined
    }
  }
}

/** The parts of a request that the gateway reads and sets: those of Node, and so of Express, Connect and the like. */
export type GatewayRequest = NodeRequest & Partial<Verified | Unverified>

/** The parts of a response that the gateway uses: those of Node. */
export type GatewayResponse = NodeResponse & {
  statusCode: number
  readonly headersSent?: boolean | undefined
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/** Options of the Express gateway. */
export type ExpressGatewayOptions<Request extends GatewayRequest> = ReusingGatewayOptions & {
  /** Adds what only the application knows: `transactionValue`, `currency`, `action`, a more precise `resource` … */
  describeRequest?(req: Request): VerificationFields | Promise<VerificationFields>
  /**
   * With `reuseGrantSeconds`: what a request takes of the `transactionValue` that the service is asked for, so that one
   * grant covers several requests; default all of it.
   */
  useValueOf?(req: Request): number | undefined
}

/**
 * Creates the gateway as Express-compatible middleware. It does not depend on Express and works on any Node request.
 *
 * `ready`, a property of the middleware, tells whether the check at start has passed.
 *
 * The resource is the request's path unless `describeRequest` names a more precise one. If `describeRequest` throws, the
 * request is refused. The body of a signed request is compared with its digest: a parser before the gateway has to store the
 * bytes (`captureBody`), otherwise the gateway reads them and leaves them for the parsers behind it.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway<Request extends GatewayRequest = GatewayRequest>(
  options: ExpressGatewayOptions<Request>,
) {
  const { verify, ready, settle } = createReusingGateway(options)
  const guard = async (req: Request, res: GatewayResponse, next: () => unknown): Promise<void> => {
    const outcome = await verify(() => readNodeFacts(req, res, options))
    // A host with a time limit of its own may have responded in the meantime.
    if (res.headersSent) return
    setPassThroughHeaders(req.headers, options, outcome)
    removeReceived(req)
    if (!outcome.passes) return sendRefusal(res, outcome.refusal)
    Object.assign(req, outcome.verified)
    for (const [name, value] of Object.entries(outcome.headers)) res.setHeader(name, value)
    next()
  }
  return Object.assign(guard, { ready, settle })
}

/**
 * Stores the bytes of a signed request for a gateway behind the parser: `express.json({ verify: captureBody })`, and so for
 * each parser of Express.
 *
 * A compressed body is not stored, because parsers pass on what they decompressed, and the digest is that of what was sent.
 */
export function captureBody(
  req: { headers: Record<string, string | string[] | undefined>; rawBody?: string | Uint8Array | undefined },
  _res: unknown,
  bytes: Uint8Array,
): void {
  const { 'content-encoding': coding = 'identity' } = req.headers
  if (isProving(req.headers) && coding === 'identity') req.rawBody = bytes
}

function sendRefusal(res: GatewayResponse, { status, headers, text }: GatewayRefusal): void {
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.end(text)
}
