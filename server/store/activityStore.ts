import type { Knex } from 'knex'
import type { AuditRecord } from './auditRecordStore.ts'
import { EVENT_COLUMNS } from './eventColumns.ts'
import { partyPlaces } from './partyPlaces.ts'

/** What narrows a look into the activity feed; times in epoch milliseconds. */
export type ActivityFilter = {
  parties: readonly string[]
  limit: number
  agentId?: string | undefined
  endpointId?: string | undefined
  eventType?: string | undefined
  since?: number | undefined
  until?: number | undefined
}

export type ActivityRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt' | 'entry'>

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the feed through the projection's index. */
export function createActivityStore(query: Knex) {
  const recordsAt = (seqs: readonly number[], order: 'asc' | 'desc'): Promise<ActivityRecord[]> =>
    query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', order)
  return {
    /** Events before a place in the log, newest first; from the end of the log when none is named. */
    async list(filter: ActivityFilter & { beforeSeq?: number | undefined }): Promise<ActivityRecord[]> {
      const page = { order: 'desc', limit: filter.limit } as const
      const seqs = await partyPlaces(query, filter.parties, page, (places) => {
        narrow(places, filter)
        if (filter.beforeSeq !== undefined) places.where('seq', '<', filter.beforeSeq)
      })
      return recordsAt(seqs, 'desc')
    },

    /** Events after one place in the log and before another, oldest first. */
    async after(filter: ActivityFilter & { afterSeq: number; beforeSeq: number }): Promise<ActivityRecord[]> {
      const page = { order: 'asc', limit: filter.limit } as const
      const seqs = await partyPlaces(query, filter.parties, page, (places) => {
        narrow(places, filter)
        places.where('seq', '>', filter.afterSeq).where('seq', '<', filter.beforeSeq)
      })
      return recordsAt(seqs, 'asc')
    },

    /** Which of these parties have events from one place in the log up to another; one look into an index for each. */
    async partiesWithNews(
      parties: readonly string[],
      { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
    ): Promise<Set<string>> {
      const found = new Set<string>()
      for (const party_id of parties) {
        const news = await query('feed.party_events')
          .select('seq')
          .where({ party_id })
          .where('seq', '>=', fromSeq)
          .where('seq', '<', toSeq)
          .first()
        if (news !== undefined) found.add(party_id)
      }
      return found
    },
  }
}

function narrow(places: Knex.QueryBuilder, filter: ActivityFilter): void {
  if (filter.agentId !== undefined) places.where('agent_id', filter.agentId)
  if (filter.endpointId !== undefined) places.where('endpoint_id', filter.endpointId)
  if (filter.eventType !== undefined) places.where('event_type', filter.eventType)
  if (filter.since !== undefined) places.where('recorded_at', '>=', filter.since)
  if (filter.until !== undefined) places.where('recorded_at', '<', filter.until)
}
