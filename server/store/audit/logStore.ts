import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'
import { lockOn } from '../database/locks/lockOn.ts'
import type { Locks } from '../database/locks/locks.ts'
import { severalLogs } from '../database/migrations/0124SeveralLogs.ts'
import { refuseReleasesBefore } from '../database/numberedMigration.ts'
import { readLogSize } from './logSize.ts'

type Hex = `0x${string}`

/** How many logs there are for the records from `fromSeq` on. */
export type LogCount = { fromSeq: number; logs: number }

/** Where a record is: the number of its log, and its index there. */
export type LogPlace = { log: number; index: number }

export type LogStore = ReturnType<typeof createLogStore>

/**
 * Stores how many audit logs there are, and the places of records in them.
 *
 * All records are one sequence, and each log has those of its organisations, in that order. Nothing of this is stored for a
 * database that has always had one log: the place of a record is then its sequence number. Source: docs/decisions/0136.
 */
export function createLogStore(query: Knex) {
  return {
    /** Reads the changes of the number of logs, in order; none if there has always been one. */
    counts: (reader: Knex = query): Promise<LogCount[]> => readLogCounts(reader),

    /** Counts all logs that there have ever been; those that get no more records keep what they have. */
    async count(): Promise<number> {
      const row = await query('audit_logs').max({ number: 'number' }).first()
      return Number(row?.number ?? 0) + 1
    },

    /** Reads the id of a log besides the first; null if there is none. */
    async idOf(number: number): Promise<Hex | null> {
      const row = await query('audit_logs').select('log_id').where({ number }).first()
      return row?.log_id ?? null
    },

    /** Reads the ids of all logs besides the first, in order. */
    async ids(reader: Knex = query): Promise<{ number: number; logId: Hex }[]> {
      const rows = await reader('audit_logs').select('number', 'log_id').orderBy('number')
      return rows.map((row) => ({ number: Number(row.number), logId: row.log_id }))
    },

    /** Stores a log with its id. */
    async add(trx: Knex.Transaction, { number, logId }: { number: number; logId: Hex }): Promise<void> {
      await trx('audit_logs').insert({ number, log_id: logId })
    },

    /** Replaces the id of a log that was never opened; false if no log besides the first has it. */
    async rename(trx: Knex.Transaction, former: Hex, logId: Hex): Promise<boolean> {
      return (await trx('audit_logs').where({ log_id: former }).update({ log_id: logId })) > 0
    },

    /**
     * Changes the number of logs for all records after those that have their places. The lock keeps others from placing
     * records until the change is committed. Releases that know of one log only do not start any more.
     */
    async setCount(trx: Knex.Transaction, logs: number, locks: Locks): Promise<void> {
      if (isPostgres(trx)) await lockOn(trx, locks.exclusive('log'))
      // With another isolation than the usual one, the transaction would not see what was placed before it got the lock.
      const from_seq = await readLogSize(isPostgres(trx) ? query : trx)
      await refuseReleasesBefore(trx, severalLogs.name)
      await trx('audit_log_counts').insert({ from_seq, logs }).onConflict('from_seq').merge()
    },

    /** Reads the places of some records, as far as the projection has processed the log; in any order. */
    async placesOf(seqs: readonly number[]): Promise<Map<number, LogPlace>> {
      const rows = await query('feed.log_places')
        .select('seq', 'log', 'place')
        .whereIn('seq', [...seqs])
      const moved = new Map(
        rows.map(({ seq, log, place }) => [Number(seq), { log: Number(log), index: Number(place) }]),
      )
      return new Map(seqs.map((seq) => [seq, moved.get(seq) ?? { log: 0, index: seq }]))
    },

    /** Reads the sequence number of the first record that the projection has not processed. */
    nextSeq: (): Promise<number> => readNextSeq(query),

    /** Reads the sequence number of the record at a place; null if the projection has not processed it. */
    async seqAt({ log, index }: LogPlace): Promise<number | null> {
      const row = await query('feed.log_places').select('seq').where({ log, place: index }).first()
      if (row !== undefined) return Number(row.seq)
      return log === 0 && index < (await readFirstSplit(query)) ? index : null
    },
  }
}

/** Reads the changes of the number of logs, in order. */
export async function readLogCounts(reader: Knex): Promise<LogCount[]> {
  const rows = await reader('audit_log_counts').select('from_seq', 'logs').orderBy('from_seq')
  return rows.map((row) => ({ fromSeq: Number(row.from_seq), logs: Number(row.logs) }))
}

/** Counts the leaves of a log, as far as the projection has processed the records. */
export async function readTreeSize(reader: Knex, log: number): Promise<number> {
  const last = await reader('feed.log_places').max({ place: 'place' }).where({ log }).first()
  if (last?.place !== null && last?.place !== undefined) return Number(last.place) + 1
  if (log > 0) return 0
  return Math.min(await readNextSeq(reader), await readFirstSplit(reader))
}

/** Reads from which record on there have been several logs; infinite if there has always been one. */
async function readFirstSplit(reader: Knex): Promise<number> {
  const [first] = await readLogCounts(reader)
  return first?.fromSeq ?? Number.POSITIVE_INFINITY
}

async function readNextSeq(reader: Knex): Promise<number> {
  const row = await reader('feed.projection_state').select('next_seq').where({ id: 1 }).first()
  return Number(row.next_seq)
}
