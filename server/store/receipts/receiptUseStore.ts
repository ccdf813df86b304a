import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

/** A grant whose use is reported. */
export type UsedGrant = {
  /** Compact JWS; empty if it was archived. */
  receipt: string
  keyThumbprint: string | null
  /** Epoch milliseconds; null while it is not withdrawn. */
  withdrawnAt: number | null
  /** Sum of the values of its uses so far; exact decimal text. */
  usedValue: string
  /** How many uses of it are recorded. */
  useCount: number
}

/** A use of a grant as stored. */
export type StoredUse<Contradiction extends string> = {
  recordId: string
  useId: string
  /** Epoch milliseconds. */
  usedAt: number
  /** Exact decimal text. */
  value: string
  contradiction: Contradiction | null
}

/** Stores the uses of grants that gateways report. */
export function createReceiptUseStore<Contradiction extends string>() {
  return {
    /** Reads the grant of a record for the rest of the transaction; null if it has no receipt, or is not a grant. */
    async openGrant(trx: Knex.Transaction, recordId: string): Promise<UsedGrant | null> {
      const read = trx('receipts')
        .select('receipt', 'key_thumbprint', 'withdrawn_at', 'used_value', 'use_count')
        .where({ record_id: recordId })
        .whereNotNull('status_index')
        .first()
      const row = await (isPostgres(trx) ? read.forUpdate() : read)
      if (row === undefined) return null
      const withdrawnAt = row.withdrawn_at === null ? null : Number(row.withdrawn_at)
      return {
        receipt: row.receipt,
        keyThumbprint: row.key_thumbprint,
        withdrawnAt,
        usedValue: row.used_value,
        useCount: row.use_count,
      }
    },

    /** Reads how a use was recorded; undefined if it was not reported yet. */
    async contradictionOf(
      trx: Knex.Transaction,
      { recordId, useId }: { recordId: string; useId: string },
    ): Promise<Contradiction | null | undefined> {
      const row = await trx('receipt_uses')
        .select('contradiction')
        .where({ record_id: recordId, use_id: useId })
        .first()
      return row === undefined ? undefined : row.contradiction
    },

    /** Stores a use, and the sum of the values of its grant, of whose uses it is one more. */
    async insert(trx: Knex.Transaction, use: StoredUse<Contradiction>, usedValue: string): Promise<void> {
      await trx('receipt_uses').insert({
        record_id: use.recordId,
        use_id: use.useId,
        used_at: use.usedAt,
        value: use.value,
        contradiction: use.contradiction,
      })
      await trx('receipts')
        .where({ record_id: use.recordId })
        .update({ used_value: usedValue })
        .increment('use_count')
    },
  }
}
