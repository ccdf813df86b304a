export { challengeHandler } from './challengeHandler.ts'
export { type ExpressGatewayOptions, expressGateway as gateway } from './expressGateway.ts'
export { rawBody } from './rawBody.ts'
