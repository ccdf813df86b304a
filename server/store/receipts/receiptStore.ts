import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

export type ReceiptStore = ReturnType<typeof createReceiptStore>

/** Reads and withdraws receipts; the recorder inserts them. */
export function createReceiptStore(query: Knex) {
  return {
    /** Reads the receipt of a record; null if none was issued, or its payload was archived. */
    async byRecordId(recordId: string): Promise<string | null> {
      const row = await query('receipts').select('receipt').where({ record_id: recordId }).first()
      return row?.receipt ?? null
    },

    /** Withdraws the grants of an agent, or only those of requests that one of its keys signed. */
    async withdrawOfAgent(
      trx: Knex.Transaction,
      { agentId, keyThumbprint, at }: { agentId: string; keyThumbprint?: string; at: number },
    ): Promise<void> {
      // Waits for decisions about the agent that are being recorded, because their receipts are not visible yet.
      if (isPostgres(trx)) await trx('agents').select('svc_id').where({ svc_id: agentId }).forUpdate()
      await trx('receipts')
        .where({ agent_id: agentId, ...(keyThumbprint && { key_thumbprint: keyThumbprint }) })
        .whereNotNull('status_index')
        .where('expires_at', '>', at)
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: at })
    },

    /** Withdraws the grant of a record. */
    async withdraw(trx: Knex.Transaction, { recordId, at }: { recordId: string; at: number }): Promise<void> {
      await trx('receipts')
        .where({ record_id: recordId })
        .whereNotNull('status_index')
        .whereNull('withdrawn_at')
        .update({ withdrawn_at: at })
    },

    /** Reads the positions from `first` up to `end`, exclusive, whose grants are withdrawn and had not expired by `since`. */
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
