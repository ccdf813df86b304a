import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

export type ReceiptStore = ReturnType<typeof createReceiptStore>

/** Reads and withdraws receipts; the recorder inserts them, and changes of agents and keys withdraw theirs. */
export function createReceiptStore(query: Knex) {
  return {
    /** Reads the receipt of a record; null if none was issued, empty if it was archived. */
    async byRecordId(recordId: string): Promise<string | null> {
      const row = await query('receipts').select('receipt').where({ record_id: recordId }).first()
      return row?.receipt ?? null
    },

    /** Withdraws the grant of a record. */
    async withdraw(trx: Knex.Transaction, { recordId, at }: { recordId: string; at: number }): Promise<void> {
      await trx('receipts')
        .where({ record_id: recordId })
        .whereNotNull('status_index')
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: at })
    },

    /**
     * Withdraws the grants of an owner's agents. A decision that is being recorded holds a lock on the row of its agent;
     * once it is released, its receipt is visible.
     */
    async withdrawOfOwner(
      trx: Knex.Transaction,
      { ownerId, at }: { ownerId: string; at: number },
    ): Promise<void> {
      const agents = trx('agents').select('svc_id').where({ owner_id: ownerId })
      if (isPostgres(trx)) await agents.clone().orderBy('svc_id').forUpdate()
      await trx('receipts')
        .whereIn('agent_id', agents)
        .whereNotNull('status_index')
        .whereNull('withdrawn_at')
        .where('expires_at', '>', at)
        .update({ withdrawn_at: at })
    },

    /** Reads the positions from `first` to before `end` whose grants are withdrawn and had not expired by `since`. */
    async withdrawnWithin(range: { first: number; end: number }, since: number): Promise<number[]> {
      const rows = await query('receipts')
        .select('status_index')
        .whereNotNull('withdrawn_at')
        .where('status_index', '>=', range.first)
        .where('status_index', '<', range.end)
        .where('expires_at', '>', since)
      return rows.map((row) => Number(row.status_index))
    },
  }
}
