import type { Knex } from 'knex'
import { type AuditRecord, EVENT_COLUMNS } from '../audit/auditRecordStore.ts'
import { type ActivityFilter, eventsOf, showsOnlyFirst, whereMatches } from './activityFilter.ts'
import { readEventPositions } from './eventPositions.ts'
import { findEnd, findRange, type LookPosition, type SeqRange, whereWithin } from './lookRange.ts'

export type ActivityRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt' | 'entry'>

/** A record of a list; `standing` is what its purchase came to, in lists with one event per purchase. */
export type ListedRecord = ActivityRecord & { standing?: string | null }

/**
 * Maximum number of rows that one query scans, for all parties together: if a filter matches nothing, a query would
 * otherwise read a busy party’s entire history at once, and an embedded database reads in the main thread.
 */
const LOOK_MAX = 10_000

/** Maximum number of parties in one statement. */
const PARTIES_AT_ONCE = 500

/** The result of a query; `lookedTo` is the last scanned log index if the query stopped early, otherwise null. */
export type ActivityLook<Listed = ActivityRecord> = { records: Listed[]; lookedTo: number | null }

export type ActivityStore = ReturnType<typeof createActivityStore>

/** Reads the activity feed through the projection’s indexes. */
export function createActivityStore(query: Knex) {
  const recordsAt = async (seqs: readonly number[], order: 'asc' | 'desc'): Promise<ActivityRecord[]> =>
    seqs.length === 0
      ? []
      : query('audit_records').select(EVENT_COLUMNS).whereIn('seq', seqs).orderBy('seq', order)
  return {
    /** Reads events in the order of the log or, by default, newest first. */
    async list(filter: ActivityFilter, position: LookPosition): Promise<ActivityLook<ListedRecord>> {
      const { order } = position
      const { ranges, lookedTo } = await boundLook(query, filter, position)
      const page = { order, limit: filter.limit }
      const seqs = await readEventPositions(filter.parties, page, (party) => {
        const rows = eventsOf(query, filter, party)
        whereMatches(rows, filter)
        whereWithin(rows, ranges.get(party) ?? EVERYWHERE)
        return rows
      })
      const records = await recordsAt(seqs, order)
      if (filter.perPurchase !== true || seqs.length === 0) return { records, lookedTo }
      const standings = await readStandings(query, filter, seqs)
      return {
        records: records.map((record) => ({
          ...record,
          standing: standings.get(Number(record.seq)) ?? null,
        })),
        lookedTo,
      }
    },

    /** Reads events after one log index and before another, oldest first. */
    async after(filter: ActivityFilter & { afterSeq: number; beforeSeq: number }): Promise<ActivityLook> {
      const page = { order: 'asc', limit: filter.limit } as const
      const { parties, limit, afterSeq, beforeSeq, ...conditions } = filter
      const isNarrow = Object.values(conditions).some((value) => value !== undefined)
      const end = isNarrow ? Math.min(beforeSeq, afterSeq + 1 + LOOK_MAX) : beforeSeq
      const seqs = await readEventPositions(parties, page, (party_id) => {
        const rows = query('feed.party_events').select('seq').where({ party_id })
        whereMatches(rows, filter)
        whereWithin(rows, { after: afterSeq, before: end })
        return rows
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

const EVERYWHERE: SeqRange = { after: -1, before: Number.MAX_SAFE_INTEGER }

/**
 * The range that a query may scan of each party, and the log index up to which all parties are scanned; null if there is
 * nothing left to scan. Each party has its share of `LOOK_MAX`.
 */
async function boundLook(query: Knex, filter: ActivityFilter, position: LookPosition) {
  const { order } = position
  const rowsMax = Math.ceil(LOOK_MAX / filter.parties.length)
  const ranges = new Map<string, SeqRange>()
  const ends: number[] = []
  for (const party of filter.parties) {
    const range = await findRange(query, filter, position, party)
    const end = await findEnd(query, filter, { order, range, rowsMax }, party)
    if (end !== null) ends.push(end)
    ranges.set(party, range)
  }
  if (ends.length === 0) return { ranges, lookedTo: null }
  const lookedTo = order === 'desc' ? Math.max(...ends) : Math.min(...ends)
  for (const [party, { after, before }] of ranges) {
    const scanned =
      order === 'desc'
        ? { after: Math.max(after, lookedTo - 1), before }
        : { after, before: Math.min(before, lookedTo + 1) }
    ranges.set(party, scanned)
  }
  return { ranges, lookedTo }
}

/** What the purchases of these events came to, by the events’ log indexes. */
async function readStandings(query: Knex, filter: ActivityFilter, seqs: readonly number[]) {
  const standings = new Map<number, string | null>()
  for (const party_id of filter.parties) {
    const events = query('feed.party_events as event').where({ 'event.party_id': party_id })
    if (showsOnlyFirst(filter)) events.select('event.seq', 'event.standing')
    else {
      events
        .select('event.seq', { standing: query.raw('COALESCE(opened.standing, event.standing)') })
        .leftJoin('feed.party_events as opened', (on) =>
          on
            .on('opened.party_id', 'event.party_id')
            .on('opened.purchase_id', 'event.purchase_id')
            .on('opened.is_first', query.raw('1')),
        )
    }
    for (const { seq, standing } of await events.whereIn('event.seq', seqs)) {
      standings.set(Number(seq), standing ?? standings.get(Number(seq)) ?? null)
    }
  }
  return standings
}
