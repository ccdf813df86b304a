import type { Verified } from './gateway/verified.ts'

export { challengeHandler } from './agent/challengeHandler.ts'
export { type ExpressGatewayOptions, expressGateway as gateway } from './gateway/expressGateway.ts'
export { rawBody } from './webhooks/rawBody.ts'

declare global {
  namespace Express {
    /** What `gateway` and `rawBody` put on a request, for those who have Express's types. */
    interface Request extends Partial<Verified> {
      rawBody?: Uint8Array
    }
  }
}
