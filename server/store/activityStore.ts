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

/**
 * Most places of a party that one look goes through: where a filter lets nothing pass, a busy party's whole history would
 * be read at once, and an embedded database reads in the thread that answers.
 */
export const LOOK_MAX = 10_000

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the feed through the projection's index. */
export function createActivityStore(query: Knex) {
  const recordsAt = (seqs: readonly number[], order: 'asc' | 'desc'): Promise<ActivityRecord[]> =>
    query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', order)
  return {
    /**
     * Events before a place in the log, newest first; from the end of the log when none is named. `lookedTo` is where the
     * look ended before the parties' events did, null when it did not.
     */
    async list(
      filter: ActivityFilter & { beforeSeq?: number | undefined },
    ): Promise<{ records: ActivityRecord[]; lookedTo: number | null }> {
      const page = { order: 'desc', limit: filter.limit } as const
      const beforeSeq = filter.beforeSeq ?? Number.MAX_SAFE_INTEGER
      const lookedTo = isNarrow(filter) ? await endOfLook(query, filter.parties, beforeSeq) : null
      const seqs = await partyPlaces(query, filter.parties, page, (places) => {
        narrow(places, filter)
        places.where('seq', '<', beforeSeq)
        if (lookedTo !== null) places.where('seq', '>=', lookedTo)
      })
      return { records: await recordsAt(seqs, 'desc'), lookedTo }
    },

    /** Events after one place in the log and before another, oldest first; `LOOK_MAX` apart where a filter is narrow. */
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

/** Whether a filter can pass over events of its parties. */
export function isNarrow({
  agentId,
  endpointId,
  eventType,
  since,
  until,
}: Omit<ActivityFilter, 'parties' | 'limit'>) {
  return [agentId, endpointId, eventType, since, until].some((part) => part !== undefined)
}

/** The first place down to which no party has more than `LOOK_MAX` before that one; null when none has so many. */
async function endOfLook(query: Knex, parties: readonly string[], beforeSeq: number): Promise<number | null> {
  let end: number | null = null
  for (const party_id of parties) {
    const last = await query('feed.party_events')
      .select('seq')
      .where({ party_id })
      .where('seq', '<', beforeSeq)
      .orderBy('seq', 'desc')
      .offset(LOOK_MAX - 1)
      .first()
    if (last !== undefined) end = Math.max(end ?? 0, Number(last.seq))
  }
  return end
}

function narrow(places: Knex.QueryBuilder, filter: ActivityFilter): void {
  if (filter.agentId !== undefined) places.where('agent_id', filter.agentId)
  if (filter.endpointId !== undefined) places.where('endpoint_id', filter.endpointId)
  if (filter.eventType !== undefined) places.where('event_type', filter.eventType)
  if (filter.since !== undefined) places.where('recorded_at', '>=', filter.since)
  if (filter.until !== undefined) places.where('recorded_at', '<', filter.until)
}
