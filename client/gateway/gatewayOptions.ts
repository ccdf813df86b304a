import type { EndpointRoute, VerifyClientConfig } from './createVerifyClient.ts'

/** How a gateway is set up. Source: Spec: Client library contract. */
export type GatewayOptions = VerifyClientConfig & {
  /** Gates; left out, those that the service holds for `counterpartyId` apply. */
  routes?: readonly EndpointRoute[]
  /** Tells what is behind the gateway, in `X-Svc-Access-Level` and `X-Svc-Recommendation`, what was decided. */
  setPassThroughHeader?: boolean
  /**
   * How long a request is held while the agent's owner is asked, in milliseconds; 0, the default, answers 202 at once.
   * Held or not, nothing passes before the owner has approved.
   */
  holdStepUpMs?: number
  /**
   * What happens without a decision: `refuse` (the default, fails closed), or, where the service is away, `pass` as an
   * unverified request. A budget that is used up is no absence.
   */
  whenUnavailable?: 'refuse' | 'pass'
}

/** Options of earlier versions, which have no effect any more. Source: Spec: Client library contract. */
export const DEPRECATED_OPTIONS = ['minTrustScore', 'trustScoreThreshold', 'trustScoreRequirement'] as const
