import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { CompiledAllowlist } from './allowlist.ts'
import type { CompiledApprovalRules } from './approvalRules.ts'
import type { Counters } from './counters.ts'
import type { ApprovalDimension } from './findings.ts'
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

/** What a decision has to know of the agent; what is `undefined` is not known and not checked. */
export type AgentFacts = {
  svcId: string
  /** `SVCD-` and `SVCO-` identifiers of the account that owns the agent. */
  ownerIdentifiers: readonly string[]
  /** Only `active` passes. */
  status: string
  trustScore: number | undefined
  certifications: readonly string[] | undefined
  policy: CompiledPolicy
  approvalRules: CompiledApprovalRules
}

/** What happens to callers without an agent identifier. Spec: Endpoint (counterparty). */
export const UNVERIFIED_AGENT_POLICIES = ['deny', 'audit', 'allow_partial', 'allow_full'] as const

export type UnverifiedAgentPolicy = (typeof UNVERIFIED_AGENT_POLICIES)[number]

/** How well an endpoint is known; `unknown` is one that is not stored. */
export type EndpointTier = 'discovered' | 'self_asserted' | 'domain_verified' | 'unknown'

/** What a decision has to know of the endpoint. */
export type EndpointFacts = {
  status: 'active' | 'deactivated' | 'archived'
  /** `undefined` is not known and not checked. */
  tier: EndpointTier | undefined
  /** 0 when the endpoint asks for none. */
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  policy: CompiledPolicy
  allowlist: CompiledAllowlist
  /** Host of its URL in URL form; `undefined` is not known and not checked. */
  host: string | undefined
  /** Merchant accounts that the endpoint is known to be. */
  merchantIds?: readonly string[] | undefined
}
