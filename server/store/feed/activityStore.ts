import type { Knex } from 'knex'
import { type AuditRecord, EVENT_COLUMNS } from '../audit/auditRecordStore.ts'
import { readEventPositions } from './eventPositions.ts'

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
 * Most places that one look goes through, those of all parties together: where a filter lets nothing pass, a busy party's
 * whole history would be read at once, and an embedded database reads in the thread that answers.
 */
const LOOK_MAX = 10_000
/** Places come nearly in the order of their times: a decision is recorded up to seconds after its time. */
const DISORDER_MS = 60_000

/** Parties that one statement asks about. */
const PARTIES_AT_ONCE = 500

/** What a look found; `lookedTo` is the last place that it went through where it ended before the events did, else null. */
export type ActivityLook = { records: ActivityRecord[]; lookedTo: number | null }

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the feed through the projection's index. */
export function createActivityStore(query: Knex) {
  const recordsAt = (seqs: readonly number[], order: 'asc' | 'desc'): Promise<ActivityRecord[]> =>
    query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', order)
  return {
    /** Events before a place in the log, newest first; from the end of the log when none is named. */
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

    /** Events after one place in the log and before another, oldest first. */
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

    /** Which of these parties have events from one place in the log up to another. */
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

/** Whether a filter can pass over events of its parties. */
function isNarrow(filter: ActivityFilter): boolean {
  return conditionsOf(filter).length > 0
}

/** Where each party's part of a look ends, and to where all were looked through; null when there is no more to look for. */
type Ends = { byParty: ReadonlyMap<string, number>; lookedTo: number | null }

const NO_ENDS: Ends = { byParty: new Map(), lookedTo: null }

/** Ends after each party's share of `LOOK_MAX` places, if it has so many; nothing is looked for where all are before `since`. */
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

/** What a filter asks of an event beside its party. */
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

/** As much of an event as a count needs; `recordedAt` in epoch milliseconds. */
export type CountedEvent = { seq: number; eventType: string; recordedAt: number }

export type ActivityCountStore = ReturnType<typeof createActivityCountStore>

/** Reads what is counted of the activity feed. */
export function createActivityCountStore(query: Knex) {
  return {
    /** The last events of a party, newest first: what a count may cost is bounded by `limit`, however long the party is there. */
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
