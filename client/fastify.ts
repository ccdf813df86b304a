import {
  createGateway,
  type GatewayOptions,
  type GatewayOutcome,
  type Verified,
} from './gateway/createGateway.ts'
import { type NodeRequest, type NodeResponse, readNodeFacts } from './gateway/readNodeFacts.ts'
import { setPassThroughHeaders } from './gateway/setPassThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'

export {
  type ChallengeReply,
  fastifyChallengeHandler as challengeHandler,
} from './agent/fastifyChallengeHandler.ts'
export type { NodeRequest, NodeResponse } from './gateway/readNodeFacts.ts'

declare module 'fastify' {
  /** The members that `gateway` adds to a request. */
  interface FastifyRequest extends Partial<Verified> {}
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
export type FastifyGatewayOptions<Request extends NodeRequest> = GatewayOptions & {
  /** Adds what only the application knows: `transactionValue`, `currency`, `action`, a more precise `resource` … */
  describeRequest?(request: Request): VerificationFields | Promise<VerificationFields>
}

/**
 * Creates the gateway as a Fastify hook: `app.addHook('preHandler', gateway(options))`, so that `describeRequest` sees the
 * parsed body. It does not depend on Fastify.
 *
 * The request gets the same members as with Express. `ready`, a property of the hook, tells whether the check at start has
 * passed.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway<Request extends NodeRequest = NodeRequest>(options: FastifyGatewayOptions<Request>) {
  const { verify, ready } = createGateway(options)
  const guard = async (request: Request, reply: FastifyReplyLike): Promise<unknown> => {
    const outcome: GatewayOutcome = await verify(async () =>
      readNodeFacts(request, reply.raw, await options.describeRequest?.(request)),
    )
    // A host with a time limit of its own may have responded in the meantime.
    if (reply.sent) return reply
    setPassThroughHeaders(request.headers, options, outcome)
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
  return Object.assign(guard, { ready })
}
