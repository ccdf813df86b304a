import type { Verified } from './gateway/createGateway.ts'
import { readNodeBody } from './gateway/readNodeBody.ts'
import { type NodeRequest, type NodeResponse, readNodeFacts } from './gateway/readNodeFacts.ts'
import { BODY_BYTES_MAX } from './gateway/receivedBody.ts'
import { removeReceived } from './gateway/removeReceived.ts'
import { setPassThroughHeaders } from './gateway/setPassThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'
import { createReusingGateway, type ReusingGatewayOptions } from './reuse/createReusingGateway.ts'

export {
  type ChallengeReply,
  fastifyChallengeHandler as challengeHandler,
} from './agent/fastifyChallengeHandler.ts'
export type { NodeRequest, NodeResponse } from './gateway/readNodeFacts.ts'

declare module 'fastify' {
  /** The members that `gateway` and `captureBody` add to a request. */
  interface FastifyRequest extends Partial<Verified> {
    rawBody?: string | Uint8Array | undefined
  }
}

/** The parts of a reply that the gateway uses. */
export type FastifyReplyLike = {
  readonly sent?: boolean | undefined
  readonly raw?: NodeResponse | undefined
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: unknown): unknown
}

/** Options of the Fastify gateway. */
export type FastifyGatewayOptions<Request extends NodeRequest> = ReusingGatewayOptions & {
  /** Adds what only the application knows: `transactionValue`, `currency`, `action`, a more precise `resource` … */
  describeRequest?(request: Request): VerificationFields | Promise<VerificationFields>
  /**
   * With `reuseGrantSeconds`: what a request takes of the `transactionValue` that the service is asked for, so that one
   * grant covers several requests; default all of it.
   */
  useValueOf?(request: Request): number | undefined
}

/**
 * Creates the gateway as a Fastify hook: `app.addHook('preHandler', gateway(options))`, so that `describeRequest` sees the
 * parsed body. It does not depend on Fastify.
 *
 * The request gets the same members as with Express. `ready`, a property of the hook, tells whether the check at start has
 * passed. For signed requests with a body, add `captureBody` as well: a `preHandler` finds the body parsed.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway<Request extends NodeRequest = NodeRequest>(options: FastifyGatewayOptions<Request>) {
  const { verify, ready, settle } = createReusingGateway(options)
  const guard = async (request: Request, reply: FastifyReplyLike): Promise<unknown> => {
    const outcome = await verify(() => readNodeFacts(request, reply.raw, options))
    // A host with a time limit of its own may have responded in the meantime.
    if (reply.sent) return reply
    setPassThroughHeaders(request.headers, options, outcome)
    removeReceived(request.raw)
    if (outcome.passes) {
      Object.assign(request, outcome.verified)
      reply.headers({ ...outcome.headers })
      return undefined
    }
    const { status, headers, text } = outcome.refusal
    reply.code(status)
    reply.headers(headers)
    // Returning the reply tells Fastify that the hook has responded, so the handler does not run.
    reply.send(text)
    return reply
  }
  return Object.assign(guard, { ready, settle })
}

/**
 * Creates a hook that stores the bytes of a signed request for the gateway, before Fastify parses them:
 * `app.addHook('preParsing', captureBody())`. It leaves the body to the parser.
 *
 * @param options `bodyBytesMax` as for the gateway.
 */
export function captureBody({ bodyBytesMax = BODY_BYTES_MAX }: { bodyBytesMax?: number | undefined } = {}) {
  return async (request: NodeRequest): Promise<void> => {
    const body = await readNodeBody(request.raw ?? request, bodyBytesMax)
    if (body !== undefined && !(typeof body === 'object' && 'unread' in body)) request.rawBody = body
  }
}
