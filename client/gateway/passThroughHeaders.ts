import type { GatewayOutcome } from './createGateway.ts'

const LEVEL = 'x-svc-access-level'
const RECOMMENDATION = 'x-svc-recommendation'

/**
 * Takes away what a caller says in the gateway's name and, where it is wanted, says there what was decided.
 *
 * @param headers Of the request, names in lower case; changed in place.
 */
export function tellBehind(
  headers: Record<string, string | string[] | undefined>,
  { setPassThroughHeader }: { setPassThroughHeader?: boolean },
  outcome: GatewayOutcome,
): void {
  delete headers[LEVEL]
  delete headers[RECOMMENDATION]
  if (!setPassThroughHeader || !outcome.passes) return
  headers[LEVEL] = outcome.verified.accessLevel
  // A header that is there and undefined is one that a proxy behind the gateway cannot send.
  if (outcome.verified.recommendation !== undefined) headers[RECOMMENDATION] = outcome.verified.recommendation
}
