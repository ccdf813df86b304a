import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { LineageStore } from '../../../store/agents/lineageStore.ts'
import {
  type CommitRegistrationFileDeps,
  commitRegistrationFile,
} from '../registrationFile/commitRegistrationFile.ts'

type Trx = Parameters<AgentStore['update']>[0]

export type SettleSubAgentsDeps = CommitRegistrationFileDeps & {
  lineage: Pick<LineageStore, 'livingBelow' | 'heldBelow'>
}

export type SettleSubAgentsInput = {
  svcId: string
  isRetired: boolean
  /** Records that a sub-agent was retired. */
  recordRetired(trx: Trx, after: AgentRow, before: AgentRow): Promise<unknown>
  now: number
}

/**
 * Propagates an agent's new status to its descendants in the same transaction: they are retired with it for good, or held
 * while any of their ancestors is not active.
 *
 * A held sub-agent keeps its own status, so that one that was suspended itself stays suspended when its parent resumes. The
 * commitment to its registration file follows.
 *
 * @returns Identifiers of the changed agents. Source: `Spec: PDLSS object`, selfInstantiation.
 */
export async function settleSubAgents(
  deps: SettleSubAgentsDeps,
  trx: Trx,
  { svcId, isRetired, recordRetired, now }: SettleSubAgentsInput,
): Promise<string[]> {
  const below = await deps.lineage.livingBelow(trx, svcId)
  if (below.length === 0) return []
  const held = await deps.lineage.heldBelow(trx, svcId)
  const changed: string[] = []
  for (const id of below) {
    const before = await deps.agents.bySvcId(id, trx)
    if (!before || (!isRetired && before.isHeld === held.has(id))) continue
    const changes = isRetired ? { status: 'retired' as const } : { isHeld: held.has(id) }
    const after: AgentRow = { ...before, ...changes, updatedAt: now }
    await deps.agents.update(trx, id, { ...changes, updatedAt: now })
    if (isRetired) await recordRetired(trx, after, before)
    await commitRegistrationFile(deps, trx, after, now)
    changed.push(id)
  }
  return changed
}
