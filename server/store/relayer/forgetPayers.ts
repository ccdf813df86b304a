import type { Knex } from 'knex'

/** How far back payers are looked for: longer than an intent takes to settle, and so that each search is bounded. */
const SEARCHED_MS = 30 * 24 * 3_600_000

/**
 * Removes for whom, and from which network, settled intents were paid, once their transactions no longer count for anybody's
 * share. An intent that never had a transaction keeps it until the account is erased.
 *
 * @param before When the budget that still counts begins.
 * @returns How many intents were changed.
 */
export async function forgetPayers(trx: Knex.Transaction, before: number, limit: number): Promise<number> {
  const signed = () => trx('relayer_transactions').select('intent_id')
  const due = trx('relayer_intents')
    .select('id')
    .whereIn('id', signed().whereBetween('signed_at', [before - SEARCHED_MS, before - 1]))
    .whereNotIn('id', signed().where('signed_at', '>=', before))
    .whereNotNull('settled_at')
    .whereNotNull('account_id')
    .limit(limit)
  return await trx('relayer_intents')
    .whereIn('id', due)
    .update({ account_id: null, network: null, stranger_id: null })
}
