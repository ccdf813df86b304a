import type { Knex } from 'knex'
import { readEventPositions } from '../feed/eventPositions.ts'
import { type AuditRecord, EVENT_COLUMNS } from './auditRecordStore.ts'
import { createLogStore } from './logStore.ts'

/** A record as exported to its parties: without the inputs, which contain the policies of both. */
export type ExportedRecord = Omit<AuditRecord, 'inputs' | 'inputsSalt'> & {
  /** Its place in the log. */
  index: number
}

/** A range of indexes in a log, both ends included. */
export type IndexRange = { from: number; to: number }

/** Records of a range, and the index at which reading goes on if the range was not read to its end. */
export type ReadPart = { records: ExportedRecord[]; next: number | null }

/** Records of a log whose events are looked for at once, and how many times in one call. */
const PART = 5_000
const PARTS_MAX = 20

export type AuditExportStore = ReturnType<typeof createAuditExportStore>

/** Reads records of given parties in the order of their log. */
export function createAuditExportStore(query: Knex, { part, parts } = { part: PART, parts: PARTS_MAX }) {
  const logs = createLogStore(query)
  return {
    /**
     * Reads at most `limit` records of the range that one of the parties may see, oldest first. With several logs, it also
     * ends after a part of the range, because any number of the party's events may be of other logs.
     *
     * @param log Number of the log; the log must reach the end of the range.
     */
    async ofParties(
      parties: readonly string[],
      range: IndexRange,
      { log, limit }: { log: number; limit: number },
    ): Promise<ReadPart> {
      if ((await logs.counts()).length === 0) {
        const seqs = await readEventPositions(parties, { order: 'asc', limit }, (party_id) =>
          query('feed.party_events')
            .select('seq')
            .where({ party_id })
            .whereBetween('seq', [range.from, range.to]),
        )
        return { records: await recordsAt(seqs), next: null }
      }
      const found: number[] = []
      let { from } = range
      for (let nth = 0; nth < parts && from <= range.to && found.length < limit; nth += 1) {
        const to = Math.min(range.to, from + part - 1)
        found.push(...(await seqsOf(parties, { from, to }, { log, limit: limit - found.length })))
        from = to + 1
      }
      const isCut = found.length < limit && from <= range.to
      return { records: await recordsAt(found), next: isCut ? from : null }
    },
  }

  /** Finds the events of the parties in a part of one of several logs. */
  async function seqsOf(
    parties: readonly string[],
    { from, to }: IndexRange,
    { log, limit }: { log: number; limit: number },
  ): Promise<number[]> {
    const ends = await Promise.all([from, to].map((index) => logs.seqAt({ log, index })))
    const [first, last] = ends
    if (first == null || last == null) return []
    return readEventPositions(parties, { order: 'asc', limit }, (party_id) =>
      query('feed.party_events as event')
        .select({ seq: 'event.seq' })
        .leftJoin(
          query('feed.log_places').select('seq', 'log').whereBetween('seq', [first, last]).as('place'),
          'place.seq',
          'event.seq',
        )
        .where({ party_id })
        .whereBetween('event.seq', [first, last])
        .whereRaw('COALESCE(place.log, 0) = ?', [log]),
    )
  }

  async function recordsAt(seqs: readonly number[]): Promise<ExportedRecord[]> {
    const places = await logs.placesOf(seqs)
    const records = await query('audit_records')
      .select({ ...EVENT_COLUMNS, entry: 'entry' })
      .whereIn('seq', [...seqs])
      .orderBy('seq')
    return records.map((record) => ({ ...record, index: places.get(Number(record.seq))?.index ?? 0 }))
  }
}

export type DecisionContextStore = ReturnType<typeof createDecisionContextStore>

/** Stores the rules that decisions were based on, each text once under its hash; nothing is ever deleted. */
export function createDecisionContextStore(query: Knex) {
  return {
    /** Stores a document; idempotent, also under concurrency. */
    async keep(hash: string, document: string): Promise<void> {
      await query('decision_contexts').insert({ hash, document }).onConflict('hash').ignore()
    },

    async read(hash: string): Promise<string | null> {
      const row = await query('decision_contexts').select('document').where({ hash }).first()
      return row?.document ?? null
    },
  }
}
