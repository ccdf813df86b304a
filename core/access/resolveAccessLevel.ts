import type { AccessLevel } from './decision.ts'
import type { VerifiedInput } from './verifiedInput.ts'

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
