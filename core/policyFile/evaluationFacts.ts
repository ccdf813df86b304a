import type { AllowlistEntry } from '../access/allowlist.ts'
import type { ApprovalRule } from '../access/approvalRules.ts'
import type { EndpointFacts } from '../access/endpointFacts.ts'
import type { VerifiedInput } from '../access/verifiedInput.ts'

/** State that only a server has. What is left out is not checked. */
export type EvaluationFacts = Partial<
  Pick<VerifiedInput, 'sharesOwner' | 'counters' | 'challenge' | 'approval'>
> & {
  agent?: {
    ownerIdentifiers?: readonly string[]
    status?: string
    trustScore?: number
    certifications?: readonly string[]
    /** Default: spend between the agent's limits asks the owner. */
    approvalRules?: readonly ApprovalRule[]
  }
  endpoint?: Partial<
    Pick<EndpointFacts, 'status' | 'tier' | 'trustScoreRequirement' | 'host' | 'merchantIds'>
  > & {
    allowlist?: readonly AllowlistEntry[]
  }
}
