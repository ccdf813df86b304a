import type { Knex } from 'knex'

/** As in the index of these rows, which SQLite uses only for the same words. */
const NAMES_PAYER = '(account_id IS NOT NULL OR network IS NOT NULL OR stranger_id IS NOT NULL)'

/**
 * Removes for whom, and from which network, settled intents were or would have been paid, once they count for no share:
 * those that were settled before a time, whether or not anything was ever sent for them, and whenever that was.
 *
 * @param before When the budget that still counts begins.
 * @returns How many intents were changed; at most `limit`.
 */
export async function forgetPayers(trx: Knex.Transaction, before: number, limit: number): Promise<number> {
  const due = trx('relayer_intents')
    .select('id')
    .where('settled_at', '<', before)
    .whereNotNull('settled_at')
    .whereRaw(NAMES_PAYER)
    // The clock of the process that signed may have been ahead of that of the one that settled.
    .whereNotExists(
      trx('relayer_transactions')
        .select(trx.raw('1'))
        .whereRaw('relayer_transactions.intent_id = relayer_intents.id')
        .where('signed_at', '>=', before),
    )
    .orderBy('settled_at')
    .limit(limit)
  return await trx('relayer_intents')
    .whereIn('id', due)
    .update({ account_id: null, network: null, stranger_id: null })
}
