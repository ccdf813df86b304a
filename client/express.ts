import type { Verified } from './verified.ts'

export { challengeHandler } from './challengeHandler.ts'
export { type ExpressGatewayOptions, expressGateway as gateway } from './expressGateway.ts'
export { rawBody } from './rawBody.ts'

declare global {
  namespace Express {
    /** What `gateway` and `rawBody` put on a request, for those who have Express's types. */
    interface Request extends Partial<Verified> {
      rawBody?: Uint8Array
    }
  }
}
