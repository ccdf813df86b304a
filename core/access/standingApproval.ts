import { addDecimals, compareDecimals } from '../decimal.ts'
import type { AgentFacts, EndpointFacts, StandingApproval } from './facts.ts'
import { type IdentityProof, isProofSufficient } from './identityProof.ts'
import { resolveAskedFrom, resolveFreshFrom } from './spendThresholds.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** The part of a request that a standing approval is compared with. */
type Spending = { value: number; identityProof: IdentityProof; now: number }

/** Whether a standing approval lets a value pass: in time, with enough proof, and within what is left of its amount. */
export function coversSpend(standing: StandingApproval, { value, identityProof, now }: Spending): boolean {
  return (
    now < standing.expiresAt &&
    isProofSufficient(identityProof, standing.minIdentityProof) &&
    compareDecimals(addDecimals(standing.used, value), standing.amount) <= 0
  )
}

/**
 * Whether a standing approval could let a request pass, so that it has to be read: only if the owner would be asked about
 * the amount, and no assertion made for this request is needed.
 */
export function needsStandingApproval(
  agent: Pick<AgentFacts, 'policy' | 'approvalRules'>,
  endpoint: Pick<EndpointFacts, 'policy'>,
  { transactionValue: value }: Pick<VerificationRequest, 'transactionValue'>,
): boolean {
  return (
    value !== undefined &&
    value >= resolveAskedFrom(agent, endpoint) &&
    value < resolveFreshFrom(agent, endpoint)
  )
}
