import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { CompiledAllowlist } from './compileAllowlist.ts'

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
