import type { Knex } from 'knex'

/** The score of an agent from a given time on, in epoch milliseconds. */
export type TrustEntry = { at: number; score: number }

export type TrustHistoryStore = ReturnType<typeof createTrustHistoryStore>

const HOUR_MS = 3_600_000

/** Stores the history of trust scores. */
export function createTrustHistoryStore(query: Knex) {
  return {
    /** Reads the newest entries of an agent, oldest first. */
    async ofAgent(svcId: string, limit: number): Promise<TrustEntry[]> {
      const rows = await query('trust_scores')
        .select('at', 'score')
        .where({ agent_id: svcId })
        .orderBy('hour', 'desc')
        .limit(limit)
      return rows.map(({ at, score }) => ({ at: Number(at), score: Number(score) })).reverse()
    },

    /** Reads the newest score of each of these agents that has one. */
    async latestOf(svcIds: readonly string[]): Promise<Map<string, number>> {
      const newest = query('trust_scores as newer')
        .max('newer.hour')
        .where({ 'newer.agent_id': query.ref('trust_scores.agent_id') })
      const rows = await query('trust_scores')
        .select({ svcId: 'agent_id', score: 'score' })
        .whereIn('agent_id', [...svcIds])
        .where('hour', newest)
      return new Map(rows.map(({ svcId, score }) => [String(svcId), Number(score)]))
    },

    /** Adds entries; an entry for the same agent and hour is replaced. */
    async add(trx: Knex.Transaction, entries: readonly (TrustEntry & { svcId: string })[]): Promise<void> {
      await trx('trust_scores')
        .insert(
          entries.map(({ svcId, at, score }) => ({
            agent_id: svcId,
            hour: Math.floor(at / HOUR_MS),
            at,
            score,
          })),
        )
        .onConflict(['agent_id', 'hour'])
        .merge()
    },

    /** Deletes entries older than a given time, except the newest of each agent. */
    async forgetBefore(trx: Knex.Transaction, time: number): Promise<number> {
      const newer = trx('trust_scores as newer')
        .select(trx.raw('1'))
        .where({ 'newer.agent_id': trx.ref('trust_scores.agent_id') })
        .andWhere('newer.hour', '>', trx.ref('trust_scores.hour'))
      return trx('trust_scores')
        .where('hour', '<', Math.floor(time / HOUR_MS))
        .whereExists(newer)
        .delete()
    },
  }
}
