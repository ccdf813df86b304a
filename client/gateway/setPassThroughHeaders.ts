import type { GatewayOutcome } from './createGateway.ts'

const LEVEL = 'x-svc-access-level'
const RECOMMENDATION = 'x-svc-recommendation'

/**
 * Removes the gateway's headers that a caller has sent itself and, if the option is set, sets them to the decision.
 *
 * @param headers Headers of the request, with names in lower case; changed in place.
 */
export function setPassThroughHeaders(
  headers: Record<string, string | string[] | undefined>,
  { setPassThroughHeader }: { setPassThroughHeader?: boolean },
  outcome: GatewayOutcome,
): void {
  delete headers[LEVEL]
  delete headers[RECOMMENDATION]
  if (!setPassThroughHeader || !outcome.passes) return
  headers[LEVEL] = outcome.verified.accessLevel
  // A proxy behind the gateway cannot send a header whose value is undefined.
  if (outcome.verified.recommendation !== undefined) headers[RECOMMENDATION] = outcome.verified.recommendation
}
