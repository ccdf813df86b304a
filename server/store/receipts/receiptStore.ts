import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

export type ReceiptStore = ReturnType<typeof createReceiptStore>

/**
 * Withdraws grants of some agents. A decision that is being recorded holds a lock on the row of its agent; once it is
 * released, its receipt is visible.
 *
 * @param ofAgents Selects the `svc_id` of the agents.
 * @param only Which of their grants: by default all. `at` in epoch milliseconds.
 */
export async function withdrawGrants(
  trx: Knex.Transaction,
  ofAgents: Knex.QueryBuilder,
  { at, ...only }: { at: number; account?: string },
): Promise<void> {
  if (isPostgres(trx)) await ofAgents.clone().orderBy('svc_id').forUpdate()
  await trx('receipts')
    .whereIn('agent_id', ofAgents)
    .where(only)
    .whereNotNull('status_index')
    .whereNull('withdrawn_at')
    .where('expires_at', '>', at)
    .update({ withdrawn_at: at })
}

/** Reads and withdraws receipts; the recorder inserts them, and changes of agents, keys and accounts withdraw theirs. */
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

    /** Withdraws the grants of an owner's agents. */
    withdrawOfOwner: (trx: Knex.Transaction, { ownerId, at }: { ownerId: string; at: number }) =>
      withdrawGrants(trx, trx('agents').select('svc_id').where({ owner_id: ownerId }), { at }),

    /** Withdraws the grants of an agent that rest on an Ethereum account, in lower case. */
    withdrawOfAccount: (
      trx: Knex.Transaction,
      { agentId, account, at }: { agentId: string; account: string; at: number },
    ) => withdrawGrants(trx, trx('agents').select('svc_id').where({ svc_id: agentId }), { account, at }),

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
