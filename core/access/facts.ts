import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { CompiledAllowlist } from './allowlist.ts'
import type { CompiledApprovalRules } from './approvalRules.ts'
import type { Counters } from './counters.ts'
import type { DecisionVersion } from './decision.ts'
import type { ApprovalDimension } from './findings.ts'
import type { IdentityProof, PresentedProof } from './identityProof.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** An unexpired and unconsumed approval of the same request and attempt. */
export type FoundApproval = {
  dimensions: readonly ApprovalDimension[]
  approved: boolean
  /** The owner denied the request; this applies for as long as the approval would have. */
  denied?: boolean
  /** The owner approved by a passkey assertion made for this approval. */
  isFreshAssertion: boolean
  /** What the request proved that was held; one that proves less is denied. Absent if unknown, and then not checked. */
  minIdentityProof?: IdentityProof | undefined
}

/**
 * What the owner approved in advance for one agent, counterparty and currency. Whoever reads it makes sure that the request
 * has these three.
 */
export type StandingApproval = {
  /** How much it lets pass in all, and how much of that is used up; exact decimal text. */
  amount: string
  used: string
  /** What the request proved that was held when the owner approved; a request that proves less is held. */
  minIdentityProof: IdentityProof
  /** Epoch milliseconds, exclusive. */
  expiresAt: number
}

/** Everything that a decision on a registered agent depends on; the same values always give the same decision. */
export type VerifiedInput = {
  agent: AgentFacts
  endpoint: EndpointFacts
  request: VerificationRequest
  /** Caller and endpoint belong to the same account or organisation. */
  sharesOwner: boolean
  counters: Counters
  /** `withheld`: one was needed, and the agent had been challenged too often to send it. */
  challenge: 'passed' | 'failed' | 'withheld' | 'not_issued'
  /** What the request proves about its sender; undefined if unknown, and then not checked. */
  proof?: PresentedProof | undefined
  /** Whether the payment mandate that the request presents does not cover it; undefined if it presents none. */
  mandate?: { isWrong: boolean } | undefined
  approval: FoundApproval | null
  /** Absent if the owner approved nothing in advance, or if it cannot matter. */
  standingApproval?: StandingApproval | undefined
  /** Tells only whether the request would be granted: a dry run by anyone but the agent's owner. */
  isForeignDryRun?: boolean | undefined
  /** Epoch milliseconds. */
  now: number
  /** Default: the present rules. */
  version?: DecisionVersion | undefined
}

/** The facts about the agent that a decision uses; an undefined fact is unknown and not checked. */
export type AgentFacts = {
  svcId: string
  /** `SVCD-` and `SVCO-` identifiers of the account that owns the agent. */
  ownerIdentifiers: readonly string[]
  /** Only `active` passes. */
  status: string
  trustScore: number | undefined
  certifications: readonly string[] | undefined
  policy: CompiledPolicy
  /**
   * The higher hourly caps of the ancestors from which it inherits its boundary, nearest first: its transactions count under
   * them together with those of their other sub-agents. None if undefined.
   */
  ancestorMaxTransactionsPerHour?: readonly number[] | undefined
  approvalRules: CompiledApprovalRules
  /** What a request has to prove, as the owner requires; nothing if undefined. */
  minIdentityProof?: IdentityProof | undefined
  /** What every request has to state, as the owner requires; nothing if undefined. */
  requiredFacts?: readonly RequirableFact[] | undefined
}

/** How an endpoint treats callers without an agent identifier. Spec: Endpoint (counterparty). */
export const UNVERIFIED_AGENT_POLICIES = ['deny', 'audit', 'allow_partial', 'allow_full'] as const

export type UnverifiedAgentPolicy = (typeof UNVERIFIED_AGENT_POLICIES)[number]

/** What an endpoint or an agent's owner can require a request to state. */
export const REQUIRABLE_FACTS = [
  'purpose',
  'resource',
  'jurisdiction',
  'currency',
  'sessionDuration',
] as const

export type RequirableFact = (typeof REQUIRABLE_FACTS)[number]

/** How far an endpoint is verified; an `unknown` endpoint is not stored. */
export type EndpointTier = 'discovered' | 'self_asserted' | 'domain_verified' | 'unknown'

/** Whether nobody has registered an endpoint of this tier. */
export function isUnregistered(tier: EndpointTier | undefined): boolean {
  return tier === 'discovered' || tier === 'unknown'
}

/** The facts about the endpoint that a decision uses. */
export type EndpointFacts = {
  status: 'active' | 'deactivated' | 'archived'
  /** Undefined if unknown, and then not checked. */
  tier: EndpointTier | undefined
  /** 0 when the endpoint requires none. */
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  policy: CompiledPolicy
  allowlist: CompiledAllowlist
  /** What every request has to state; nothing if undefined. */
  requiredFacts?: readonly RequirableFact[] | undefined
  /** What a request has to prove; nothing if undefined. */
  minIdentityProof?: IdentityProof | undefined
  /** Host in URL form; undefined if unknown, and then not checked. */
  host: string | undefined
  /** The merchant accounts known to belong to the endpoint. */
  merchantIds?: readonly string[] | undefined
}
