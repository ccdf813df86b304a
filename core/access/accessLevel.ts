import type { AccessLevel } from './decision.ts'
import type { VerifiedInput } from './facts.ts'

/**
 * The trust score this endpoint asks of this caller, or `undefined` where its allowlist does not admit the caller.
 *
 * An allowlist concerns external callers only, and the score its entry names stands in for the endpoint's requirement. Spec: Allowlist entry.
 */
export function requiredScore({ agent, endpoint, request, sharesOwner }: VerifiedInput): number | undefined {
  if (endpoint.allowlist === undefined || sharesOwner) return endpoint.trustScoreRequirement
  return endpoint.allowlist(agent.ownerIdentifiers, request, endpoint.trustScoreRequirement)
}

/**
 * The access level of a registered agent that nothing else speaks against; `none` is a trust score that is too low.
 *
 * A caller that shares the endpoint's owner is `internal` whatever its score. Below 20, or below what the endpoint asks for, the policy
 * for unverified agents applies: `restricted` where it lets such callers in part or fully, else `none`. A score that is not known
 * (local evaluator) gives the default of verified agents. Spec: Trust score to access level.
 */
export function resolveAccessLevel(
  { agent: { trustScore }, endpoint, sharesOwner }: VerifiedInput,
  requirement: number,
): AccessLevel {
  if (sharesOwner) return 'internal'
  if (trustScore === undefined) return 'standard'
  if (trustScore < 20 || trustScore < requirement) {
    const policy = endpoint.unverifiedAgentPolicy
    return policy === 'allow_partial' || policy === 'allow_full' ? 'restricted' : 'none'
  }
  if (trustScore < 40) return 'read-only'
  return trustScore < 70 ? 'standard' : 'full'
}
