import type { Knex } from 'knex'
import { type AuditRecord, EVENT_COLUMNS } from '../audit/auditRecordStore.ts'
import { readEventPositions } from './eventPositions.ts'

/** The filter of a query on the activity feed; times are epoch milliseconds. */
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
 * Maximum number of log indexes that one query scans, for all parties together: if a filter matches nothing, a query would
 * otherwise read a busy party’s entire history at once, and an embedded database reads in the main thread.
 */
const LOOK_MAX = 10_000
/** Log indexes only roughly follow the order of times: a decision may be recorded up to seconds after its time. */
const DISORDER_MS = 60_000

/** Maximum number of parties in one statement. */
const PARTIES_AT_ONCE = 500

/** The result of a query; `lookedTo` is the last scanned log index if the query stopped early, otherwise null. */
export type ActivityLook = { records: ActivityRecord[]; lookedTo: number | null }

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the activity feed through the projection’s index. */
export function createActivityStore(query: Knex) {
  const recordsAt = (seqs: readonly number[], order: 'asc' | 'desc'): Promise<ActivityRecord[]> =>
    query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', order)
  return {
    /** Reads events before a log index, newest first; starts at the end of the log by default. */
    async list(filter: ActivityFilter & { beforeSeq?: number | undefined }): Promise<ActivityLook> {
      const page = { order: 'desc', limit: filter.limit } as const
      const beforeSeq = filter.beforeSeq ?? Number.MAX_SAFE_INTEGER
      const ends = isNarrow(filter) ? await endsOfLook(query, filter, beforeSeq) : NO_ENDS
      const seqs = await readEventPositions(query, filter.parties, page, (places, party) => {
        narrow(places, filter)
        places.where('seq', '<', beforeSeq)
        places.where('seq', '>=', Math.max(ends.lookedTo ?? 0, ends.byParty.get(party) ?? 0))
      })
      return { records: await recordsAt(seqs, 'desc'), lookedTo: ends.lookedTo }
    },

    /** Reads events after one log index and before another, oldest first. */
    async after(filter: ActivityFilter & { afterSeq: number; beforeSeq: number }): Promise<ActivityLook> {
      const page = { order: 'asc', limit: filter.limit } as const
      const { afterSeq, beforeSeq } = filter
      const end = isNarrow(filter) ? Math.min(beforeSeq, afterSeq + 1 + LOOK_MAX) : beforeSeq
      const seqs = await readEventPositions(query, filter.parties, page, (places) => {
        narrow(places, filter)
        places.where('seq', '>', afterSeq).where('seq', '<', end)
      })
      return { records: await recordsAt(seqs, 'asc'), lookedTo: end < beforeSeq ? end - 1 : null }
    },

    /** Finds which of these parties have events in a range of log indexes. */
    async partiesWithNews(
      parties: readonly string[],
      { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
    ): Promise<Set<string>> {
      const found = new Set<string>()
      for (let at = 0; at < parties.length; at += PARTIES_AT_ONCE) {
        const rows = await query('feed.party_events')
          .distinct('party_id')
          .whereIn('party_id', parties.slice(at, at + PARTIES_AT_ONCE))
          .where('seq', '>=', fromSeq)
          .where('seq', '<', toSeq)
        for (const { party_id } of rows) found.add(String(party_id))
      }
      return found
    },
  }
}

/** Whether a filter can exclude events of its parties. */
function isNarrow(filter: ActivityFilter): boolean {
  return conditionsOf(filter).length > 0
}

/**
 * The log index at which the query stops for each party, and down to which all parties are scanned; null if there is
 * nothing left to scan.
 */
type Ends = { byParty: ReadonlyMap<string, number>; lookedTo: number | null }

const NO_ENDS: Ends = { byParty: new Map(), lookedTo: null }

/**
 * Stops after each party’s share of `LOOK_MAX` log indexes, if it has that many; scans nothing if all events are before
 * `since`.
 */
async function endsOfLook(query: Knex, { parties, since }: ActivityFilter, beforeSeq: number): Promise<Ends> {
  const share = Math.ceil(LOOK_MAX / parties.length)
  const byParty = new Map<string, number>()
  let lookedTo: number | null = null
  for (const party_id of parties) {
    const last = await query('feed.party_events')
      .select('seq', 'recorded_at')
      .where({ party_id })
      .where('seq', '<', beforeSeq)
      .orderBy('seq', 'desc')
      .offset(share - 1)
      .first()
    if (last === undefined) continue
    const seq = Number(last.seq)
    byParty.set(party_id, seq)
    const isPast = since !== undefined && Number(last.recorded_at) < since - DISORDER_MS
    if (!isPast) lookedTo = Math.max(lookedTo ?? 0, seq)
  }
  return { byParty, lookedTo }
}

function narrow(places: Knex.QueryBuilder, filter: ActivityFilter): void {
  for (const [column, operator, value] of conditionsOf(filter)) places.where(column, operator, value)
}

type Condition = [column: string, operator: string, value: string | number]

/** Builds the conditions of a filter apart from the party. */
function conditionsOf({ agentId, endpointId, eventType, since, until }: ActivityFilter): Condition[] {
  const asked: [string, string, string | number | undefined][] = [
    ['agent_id', '=', agentId],
    ['endpoint_id', '=', endpointId],
    ['event_type', '=', eventType],
    ['recorded_at', '>=', since],
    ['recorded_at', '<', until],
  ]
  return asked.filter((condition): condition is Condition => condition[2] !== undefined)
}

/** The part of an event that counting needs; `recordedAt` is in epoch milliseconds. */
export type CountedEvent = { seq: number; eventType: string; recordedAt: number }

export type ActivityCountStore = ReturnType<typeof createActivityCountStore>

/** Reads events of the activity feed for counting. */
export function createActivityCountStore(query: Knex) {
  return {
    /**
     * Reads the last events of a party, newest first; `limit` bounds the cost of a count for a party with a long history.
     */
    async lastOf(party_id: string, limit: number): Promise<CountedEvent[]> {
      const rows = await query('feed.party_events')
        .select('seq', 'event_type', 'recorded_at')
        .where({ party_id })
        .orderBy('seq', 'desc')
        .limit(limit)
      return rows.map(({ seq, event_type, recorded_at }) => ({
        seq: Number(seq),
        eventType: String(event_type),
        recordedAt: Number(recorded_at),
      }))
    },
  }
}
