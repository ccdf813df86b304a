import type { VerifiedInput } from './verifiedInput.ts'

/**
 * The trust score this endpoint asks of this caller, or `undefined` where its allowlist does not admit the caller.
 *
 * An allowlist concerns external callers only, and the score its entry names stands in for the endpoint's requirement. Spec: Allowlist entry.
 */
export function requiredScore({ agent, endpoint, request, sharesOwner }: VerifiedInput): number | undefined {
  if (endpoint.allowlist === undefined || sharesOwner) return endpoint.trustScoreRequirement
  return endpoint.allowlist(agent.ownerIdentifiers, request, endpoint.trustScoreRequirement)
}
