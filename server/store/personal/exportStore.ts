import type { Knex } from 'knex'

/** An export of a person's data; times are epoch milliseconds. */
export type DataExport = {
  /** UUIDv7. */
  id: string
  /** Internal id of the account. */
  userId: string
  /** `failed` after the last attempt. */
  status: 'preparing' | 'ready' | 'failed'
  requestedAt: number
  /** How often a process has begun to prepare it, this time included. */
  attempts: number
  /** Of the file; null until it is ready. */
  sizeBytes: number | null
  readyAt: number | null
  expiresAt: number | null
}

const COLUMNS = {
  id: 'id',
  userId: 'user_id',
  status: 'status',
  requestedAt: 'requested_at',
  attempts: 'attempts',
  sizeBytes: 'size_bytes',
  readyAt: 'ready_at',
  expiresAt: 'expires_at',
}

export type ExportStore = ReturnType<typeof createExportStore>

/** Stores the exports of people's data: the owner, the progress, and the file in parts. */
export function createExportStore(query: Knex) {
  /** The export, while the attempt that asks is the last one: a slow process may not write into its successor's file. */
  const ofAttempt = (trx: Knex.Transaction, { id, attempts }: Pick<DataExport, 'id' | 'attempts'>) =>
    trx('data_exports').where({ id, attempts, status: 'preparing' })
  return {
    /** Reads the export of an account; null if there is none. */
    async of(userId: string, run: Knex = query): Promise<DataExport | null> {
      const row = await run('data_exports').select(COLUMNS).where({ user_id: userId }).first()
      return row ? exportOf(row) : null
    },

    /** Requests an export, in place of the account's former one. */
    async request(
      trx: Knex.Transaction,
      { id, userId, requestedAt }: Pick<DataExport, 'id' | 'userId' | 'requestedAt'>,
    ): Promise<DataExport> {
      const state = { id, status: 'preparing', requested_at: requestedAt, attempts: 0, claimed_until: 0 }
      const unset = { size_bytes: null, ready_at: null, expires_at: null }
      await trx('data_exports')
        .insert({ user_id: userId, ...state, ...unset })
        .onConflict('user_id')
        .merge()
      const unready = { sizeBytes: null, readyAt: null, expiresAt: null }
      return { id, userId, requestedAt, status: 'preparing', attempts: 0, ...unready }
    },

    /**
     * Claims the next export that nobody prepares; null if there is none. One whose attempts all ended with their process
     * has failed.
     */
    async claim(
      trx: Knex.Transaction,
      { now, until, attemptsMax }: { now: number; until: number; attemptsMax: number },
    ): Promise<DataExport | null> {
      await trx('data_exports')
        .where({ status: 'preparing' })
        .where('claimed_until', '<=', now)
        .where('attempts', '>=', attemptsMax)
        .update({ status: 'failed' })
      const due = await trx('data_exports')
        .select(COLUMNS)
        .where({ status: 'preparing' })
        .where('claimed_until', '<=', now)
        .orderBy('requested_at')
        .first()
      if (!due) return null
      const before = exportOf(due)
      const claimed = await ofAttempt(trx, before).update({
        claimed_until: until,
        attempts: before.attempts + 1,
      })
      if (claimed === 0) return null
      await trx('data_export_parts').where({ export_id: before.id }).delete()
      return { ...before, attempts: before.attempts + 1 }
    },

    /** Adds a part of the file and extends the claim; false if the attempt is no longer the last one. */
    async addPart(
      trx: Knex.Transaction,
      attempt: DataExport,
      { number, bytes, until }: { number: number; bytes: Uint8Array; until: number },
    ): Promise<boolean> {
      if ((await ofAttempt(trx, attempt).update({ claimed_until: until })) === 0) return false
      await trx('data_export_parts').insert({ export_id: attempt.id, number, bytes: Buffer.from(bytes) })
      return true
    },

    /** Marks an export as ready; false if the attempt is no longer the last one. */
    async finish(
      trx: Knex.Transaction,
      attempt: DataExport,
      { sizeBytes, readyAt, expiresAt }: { sizeBytes: number; readyAt: number; expiresAt: number },
    ): Promise<boolean> {
      const ready = { status: 'ready', size_bytes: sizeBytes, ready_at: readyAt, expires_at: expiresAt }
      return (await ofAttempt(trx, attempt).update(ready)) > 0
    },

    /** Gives an attempt up: the export is prepared again at a later time, or has failed if there is none. */
    async giveUp(trx: Knex.Transaction, attempt: DataExport, retryAt: number | null): Promise<void> {
      await ofAttempt(trx, attempt).update(
        retryAt === null ? { status: 'failed' } : { claimed_until: retryAt },
      )
    },

    /** Reads a part of a file; null after the last part, and once the export has expired. */
    async part(exportId: string, number: number): Promise<Buffer | null> {
      const row = await query('data_export_parts')
        .select('bytes')
        .where({ export_id: exportId, number })
        .first()
      return row ? Buffer.from(row.bytes) : null
    },

    /** Deletes expired exports, and up to `limit` parts that belong to no export; returns the number of both. */
    async deleteExpired(trx: Knex.Transaction, now: number, limit: number): Promise<number> {
      const expired = await trx('data_exports').where('expires_at', '<=', now).delete()
      const orphans = trx('data_export_parts')
        .select('export_id', 'number')
        .whereNotExists(
          trx('data_exports').select('id').whereRaw('data_exports.id = data_export_parts.export_id'),
        )
        .limit(limit)
      const parts = await trx('data_export_parts').whereIn(['export_id', 'number'], orphans).delete()
      return expired + parts
    },
  }
}

function exportOf(row: Record<keyof typeof COLUMNS, unknown>): DataExport {
  const numberOf = (value: unknown) => (value === null ? null : Number(value))
  return {
    id: String(row.id),
    userId: String(row.userId),
    status: row.status as DataExport['status'],
    requestedAt: Number(row.requestedAt),
    attempts: Number(row.attempts),
    sizeBytes: numberOf(row.sizeBytes),
    readyAt: numberOf(row.readyAt),
    expiresAt: numberOf(row.expiresAt),
  }
}
