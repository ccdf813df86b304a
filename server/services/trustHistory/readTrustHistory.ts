import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { TrustHistoryStore } from '../../store/agents/trustHistoryStore.ts'
import type { AssessedAgent } from '../agents/assessAgent.ts'
import { findOwnAgent } from '../agents/findOwnAgent.ts'
import type { Principal } from '../principal.ts'

export type ReadTrustHistoryDeps = {
  agents: Pick<AgentStore, 'byAnyId'>
  history: Pick<TrustHistoryStore, 'ofAgent'>
  assessAgent(agent: AgentRow, now: number): Promise<Pick<AssessedAgent, 'trustScore'>>
}

export type ReadTrustHistoryInput = { id: string; principal: Principal; now: number }

/** A score and the time from which it applies. */
type TrustPoint = { at: string; score: number }

/** Entries, oldest first, and the current score, which may not have an entry yet. */
export type TrustHistory = { items: TrustPoint[]; current: TrustPoint }

/** Maximum entries; a score that changes every hour fills them in three weeks. */
const ENTRIES_MAX = 500

/**
 * Returns the history of the trust score of one of the caller's agents; only the score, because its components are
 * confidential.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner. Source: `Spec: Trust score rules`.
 */
export async function readTrustHistory(
  { agents, history, assessAgent }: ReadTrustHistoryDeps,
  { id, principal, now }: ReadTrustHistoryInput,
): Promise<TrustHistory> {
  const agent = await findOwnAgent(agents, { id, principal })
  const entries = await history.ofAgent(agent.svcId, ENTRIES_MAX)
  return {
    items: entries.map(({ at, score }) => ({ at: new Date(at).toISOString(), score })),
    current: { at: new Date(now).toISOString(), score: (await assessAgent(agent, now)).trustScore },
  }
}
