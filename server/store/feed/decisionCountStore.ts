import type { Knex } from 'knex'
import type { DecisionCount } from './projectionStore.ts'

export type DecisionCountStore = ReturnType<typeof createDecisionCountStore>

/** Reads what the projection has counted of decisions, always of one agent or endpoint. */
export function createDecisionCountStore(query: Knex) {
  const of = (subjectId: string, facet: DecisionCount['facet']) =>
    query('feed.decision_counts').where({ subject_id: subjectId, facet })
  return {
    /** Reads the counts by type of event and hour (hours since 1970) from an hour on, the earliest first. */
    async outcomes(
      subjectId: string,
      fromHour: number,
    ): Promise<{ hour: number; eventType: string; decisions: number }[]> {
      const rows = await of(subjectId, 'outcome')
        .select('bucket', 'name', 'decisions')
        .where('bucket', '>=', fromHour)
        .orderBy(['bucket', 'name'])
      return rows.map(({ bucket, name, decisions }) => ({
        hour: Number(bucket),
        eventType: String(name),
        decisions: Number(decisions),
      }))
    },

    /** Reads the daily counts of a facet from a day on (days since 1970), the newest first, at most `limit` of them. */
    async days(
      subjectId: string,
      facet: 'dimension' | 'counterpart',
      { fromDay, limit }: { fromDay: number; limit: number },
    ): Promise<{ name: string; decisions: number }[]> {
      const rows = await of(subjectId, facet)
        .select('name', 'decisions')
        .where('bucket', '>=', fromDay)
        .orderBy('bucket', 'desc')
        .limit(limit)
      return rows.map(({ name, decisions }) => ({ name: String(name), decisions: Number(decisions) }))
    },

    /** Reads the time of the last decision, in epoch milliseconds; null if there was none. */
    async lastAt(subjectId: string): Promise<number | null> {
      const row = await of(subjectId, 'outcome').select('bucket').orderBy('bucket', 'desc').first()
      if (row === undefined) return null
      const last = await of(subjectId, 'outcome').max({ at: 'last_at' }).where({ bucket: row.bucket }).first()
      return Number(last?.at)
    },
  }
}
