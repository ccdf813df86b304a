import { computeTrustScore } from '@svc/core/trustScore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { OwnerFactsStore, OwnerRecord } from '../../store/agents/ownerFactsStore.ts'
import type { TrustEntry, TrustHistoryStore } from '../../store/agents/trustHistoryStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { BehaviourStore } from '../../store/feed/behaviourStore.ts'
import { trustFactsOf } from '../agents/trustFactsOf.ts'

export type RecordTrustScoresDeps = {
  db: Pick<Db, 'transaction'>
  agents: Pick<AgentStore, 'listLiving'>
  owners: Pick<OwnerFactsStore, 'ofOwner'>
  behaviour: Pick<BehaviourStore, 'ofAgents'>
  history: Pick<TrustHistoryStore, 'latestOf' | 'add' | 'forgetBefore'>
}

/** Agents per round; few, because others wait for the same connection. */
const ROUND_AGENTS = 50
const KEPT_MS = 365 * 86_400_000

/**
 * Creates the function that records the scores of some agents per round, all of them in turn, if they have changed.
 *
 * Scores are computed from facts on request and decay over time, so they are sampled periodically in the background.
 * Several processes may run it: there is one entry per hour.
 *
 * @returns A function that runs one round and returns the number of agents visited; 0 when all had their turn.
 */
export function createRecordTrustScores(deps: RecordTrustScoresDeps): (now: number) => Promise<number> {
  let place: number | null = null
  return async (now) => {
    const { items, next } = await deps.agents.listLiving({ after: place ?? 0, limit: ROUND_AGENTS })
    const entries = await findChangedScores(deps, items, now)
    if (entries.length > 0) await deps.db.transaction((trx) => deps.history.add(trx, entries))
    place = next
    if (next !== null) return items.length
    await deps.db.transaction((trx) => deps.history.forgetBefore(trx, now - KEPT_MS))
    return 0
  }
}

type Entry = TrustEntry & { svcId: string }

async function findChangedScores(
  deps: RecordTrustScoresDeps,
  agents: readonly AgentRow[],
  now: number,
): Promise<Entry[]> {
  const svcIds = agents.map(({ svcId }) => svcId)
  const latest = await deps.history.latestOf(svcIds)
  const behaviours = await deps.behaviour.ofAgents(svcIds)
  const owners = new Map<string, OwnerRecord | null>()
  const entries: Entry[] = []
  for (const agent of agents) {
    const { svcId, ownerId } = agent
    const owner = owners.has(ownerId) ? (owners.get(ownerId) ?? null) : await deps.owners.ofOwner(ownerId)
    owners.set(ownerId, owner)
    const score = computeTrustScore({ ...trustFactsOf(agent, owner), activity: behaviours.get(svcId) }, now)
    if (latest.get(svcId) !== score) entries.push({ svcId, at: now, score })
  }
  return entries
}
