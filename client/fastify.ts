import { createGateway, type GatewayOutcome } from './gateway/createGateway.ts'
import type { GatewayOptions } from './gateway/gatewayOptions.ts'
import { type NodeRequest, type NodeResponse, nodeFacts } from './gateway/nodeFacts.ts'
import { tellBehind } from './gateway/passThroughHeaders.ts'
import type { VerificationFields } from './gateway/verificationFields.ts'

type FastifyReplyLike = {
  readonly sent?: boolean
  readonly raw?: NodeResponse
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body: unknown): unknown
}

/** Options of the Fastify gateway. */
export type FastifyGatewayOptions<Request extends NodeRequest> = GatewayOptions & {
  /** What only the application knows of a request: `transactionValue`, `currency`, `action`, a better `resource` … */
  describeRequest?(request: Request): VerificationFields | Promise<VerificationFields>
}

/**
 * The gateway as a Fastify hook: `app.addHook('preHandler', gateway(options))`, where `describeRequest` sees the body.
 *
 * The request is decorated like Express's. Without a dependency on Fastify.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function gateway<Request extends NodeRequest = NodeRequest>(options: FastifyGatewayOptions<Request>) {
  const { verify } = createGateway(options)
  return async (request: Request, reply: FastifyReplyLike): Promise<unknown> => {
    const outcome: GatewayOutcome = await verify(async () =>
      nodeFacts(request, reply.raw, await options.describeRequest?.(request)),
    )
    // A host that sets limits of its own has answered by now: nothing is to be done for that request any more.
    if (reply.sent) return reply
    tellBehind(request.headers, options, outcome)
    if (outcome.passes) {
      Object.assign(request, outcome.verified)
      reply.headers({ ...outcome.headers })
      return undefined
    }
    const { status, headers, text } = outcome.refusal
    reply.code(status)
    reply.headers(headers)
    // A hook that has answered hands the reply back, and the handler is not run.
    reply.send(text)
    return reply
  }
}
