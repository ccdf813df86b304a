import type { Knex } from 'knex'
import { isPostgres } from '../database/knexSettings.ts'

export type ReceiptStore = ReturnType<typeof createReceiptStore>

/**
 * The Ethereum account on which grants rest, as stored. Null: those of which neither an account nor a key is stored, as of
 * requests without a signature, and of all that an account of another chain signed for a former release.
 */
type GrantAccount = string | null

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
  { at, accounts }: { at: number; accounts?: readonly GrantAccount[] },
): Promise<void> {
  if (isPostgres(trx)) await ofAgents.clone().orderBy('svc_id').forUpdate()
  await trx('receipts')
    .whereIn('agent_id', ofAgents)
    .where((grant) => accounts && restOn(grant, accounts))
    .whereNotNull('status_index')
    .whereNull('withdrawn_at')
    .where('expires_at', '>', at)
    .update({ withdrawn_at: at })
}

function restOn(grant: Knex.QueryBuilder, accounts: readonly GrantAccount[]): void {
  grant.whereIn(
    'account',
    accounts.filter((account) => account !== null),
  )
  if (accounts.includes(null)) grant.orWhere({ account: null, key_thumbprint: null })
}

/** Reads and withdraws receipts; the recorder inserts them, and changes of agents, keys and accounts withdraw theirs. */
export function createReceiptStore(query: Knex) {
  return {
    /** Reads the receipt of a record; null if none was issued, empty if it was archived. */
    async byRecordId(recordId: string): Promise<string | null> {
      const row = await query('receipts').select('receipt').where({ record_id: recordId }).first()
      return row?.receipt ?? null
    },

    /** Reads the thumbprints of the keys that signed the requests of some records, by record; null if none is stored. */
    async signersOf(recordIds: readonly string[]): Promise<Map<string, string | null>> {
      const rows = await query('receipts')
        .select('record_id', 'key_thumbprint')
        .whereIn('record_id', [...recordIds])
      return new Map(rows.map((row) => [row.record_id, row.key_thumbprint]))
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

    /** Withdraws the grants of an agent that rest on these Ethereum accounts. */
    withdrawOfAccounts: (
      trx: Knex.Transaction,
      { agentId, accounts, at }: { agentId: string; accounts: readonly GrantAccount[]; at: number },
    ) => withdrawGrants(trx, trx('agents').select('svc_id').where({ svc_id: agentId }), { accounts, at }),

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
