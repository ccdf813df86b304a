import type { CompiledPolicy } from '../pdlss/compilePolicy.ts'
import type { CompiledApprovalRules } from './compileApprovalRules.ts'

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
