import type { AgentFacts } from './agentFacts.ts'
import type { Counters } from './counters.ts'
import type { ApprovalDimension } from './dimensions.ts'
import type { EndpointFacts } from './endpointFacts.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** An approval found for the same request and attempt, unexpired and unconsumed. */
export type FoundApproval = {
  dimensions: readonly ApprovalDimension[]
  approved: boolean
  /** The owner said no; it holds for as long as the approval would have. */
  denied?: boolean
  /** The owner approved by a passkey assertion made for this approval. */
  isFreshAssertion: boolean
}

/** Everything a decision on a registered agent rests on; the same values always give the same decision. */
export type VerifiedInput = {
  agent: AgentFacts
  endpoint: EndpointFacts
  request: VerificationRequest
  /** Caller and endpoint belong to the same account or organisation. */
  sharesOwner: boolean
  counters: Counters
  challenge: 'passed' | 'failed' | 'not_issued'
  approval: FoundApproval | null
  /** Epoch milliseconds. */
  now: number
}
