import type { RequirableFact } from '@svc/core/access/facts.ts'
import { type IdentityProof, pickStricterProof } from '@svc/core/access/identityProof.ts'
import type { AgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import { resolveMinIdentityProof } from './keys/resolveMinIdentityProof.ts'

/** What requests of an agent have to prove and to state. */
export type AgentRequirements = {
  minIdentityProof: IdentityProof
  requiredFacts: readonly RequirableFact[]
}

export type FindInheritedRequirementsDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  agentKeys: Pick<AgentKeyStore, 'ofAgent'>
}

/**
 * Finds what the ancestors of an agent together require of its requests; nothing for an agent without a parent.
 *
 * Parents never change, so the agent depends on the rows and keys of the same ancestors for good.
 *
 * @param onAncestor Called with the identifier of each ancestor before it is read.
 * @throws Error if an ancestor is not stored. Source: docs/decisions/0025-sub-agents.md.
 */
export async function findInheritedRequirements(
  { agents, agentKeys }: FindInheritedRequirementsDeps,
  { parentAgentId }: Pick<AgentRow, 'parentAgentId'>,
  onAncestor: (svcId: string) => void = () => undefined,
): Promise<AgentRequirements> {
  let inherited: AgentRequirements = { minIdentityProof: 'none', requiredFacts: [] }
  let above = parentAgentId
  while (above !== null) {
    onAncestor(above)
    const [row, keys] = await Promise.all([agents.bySvcId(above), agentKeys.ofAgent(above)])
    if (!row) throw new Error(`the agent ${above} is the parent of another, but is not stored`)
    inherited = combineRequirements(inherited, requirementsOf(row, keys))
    above = row.parentAgentId
  }
  return inherited
}

/**
 * Returns what an agent by itself requires of its requests, without its ancestors.
 *
 * @param keys As for `resolveMinIdentityProof`.
 */
export function requirementsOf(
  row: Pick<AgentRow, 'minIdentityProof' | 'requiredFacts'>,
  keys: readonly unknown[],
): AgentRequirements {
  return { minIdentityProof: resolveMinIdentityProof(row, keys), requiredFacts: row.requiredFacts }
}

/** What is required where two requirements apply: the stricter proof, and the facts of both. */
export function combineRequirements(own: AgentRequirements, others: AgentRequirements): AgentRequirements {
  return {
    minIdentityProof: pickStricterProof(own.minIdentityProof, others.minIdentityProof),
    requiredFacts: [...new Set([...own.requiredFacts, ...others.requiredFacts])],
  }
}
