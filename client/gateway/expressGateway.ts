import { createGateway, type Unverified } from './createGateway.ts'
import type { GatewayOptions } from './gatewayOptions.ts'
import type { GatewayRefusal } from './gatewayRefusal.ts'
import { type NodeRequest, nodeFacts } from './nodeFacts.ts'
import { tellBehind } from './passThroughHeaders.ts'
import type { VerificationFields } from './verificationFields.ts'
import type { Verified } from './verified.ts'

/** What the gateway needs of a request, and puts on it: Node's, and so Express's, Connect's and their kin. */
export type GatewayRequest = NodeRequest & Partial<Verified | Unverified>

/** What the gateway needs of a response: Node's. */
export type GatewayResponse = {
  statusCode: number
  readonly headersSent?: boolean
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
  once?(event: 'close', listener: () => void): unknown
  readonly destroyed?: boolean
}

/** Options of the Express gateway. */
export type ExpressGatewayOptions<Request extends GatewayRequest> = GatewayOptions & {
  /** What only the application knows of a request: `transactionValue`, `currency`, `action`, a better `resource` … */
  describeRequest?(req: Request): VerificationFields | Promise<VerificationFields>
}

/**
 * The gateway as Express-compatible middleware, without a dependency on Express: it works on any Node request.
 *
 * The resource is the request's path unless `describeRequest` names a better one; where that throws, the request is
 * refused.
 *
 * @throws Error as `createGateway`. Source: Spec: Client library contract.
 */
export function expressGateway<Request extends GatewayRequest = GatewayRequest>(
  options: ExpressGatewayOptions<Request>,
) {
  const { verify } = createGateway(options)
  return async (req: Request, res: GatewayResponse, next: () => unknown): Promise<void> => {
    const outcome = await verify(async () => nodeFacts(req, res, await options.describeRequest?.(req)))
    // A host that sets limits of its own has answered by now: nothing is to be done for that request any more.
    if (res.headersSent) return
    tellBehind(req.headers, options, outcome)
    if (!outcome.passes) return refuse(res, outcome.refusal)
    Object.assign(req, outcome.verified)
    for (const [name, value] of Object.entries(outcome.headers)) res.setHeader(name, value)
    next()
  }
}

function refuse(res: GatewayResponse, { status, headers, text }: GatewayRefusal): void {
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.end(text)
}
