import type { Knex } from 'knex'
import { addSigningRevocations } from './signingRevocations.ts'

export type Succession = {
  /** Internal ids of the account that answered for some agents, and of the one that does from now on. */
  from: string
  to: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Notes the wallets that were unlinked from one account, and the accounts that it revoked, as unlinked from another, which
 * now has the agents of the former: they sign for these agents no more than before, unless the other account has linked
 * them. Source: docs/decisions/0119.
 */
export async function copyUnlinked(trx: Knex.Transaction, { from, to, now }: Succession): Promise<void> {
  const unlinked: { address: string }[] = await trx('unlinked_wallets')
    .select({ address: 'address' })
    .where({ user_id: from })
    .whereNotIn('address', trx('wallets').select('address').where({ user_id: to }))
  if (unlinked.length === 0) return
  const copied = unlinked.map(({ address }) => ({ user_id: to, address }))
  await trx('unlinked_wallets').insert(copied).onConflict(['user_id', 'address']).ignore()
  await addSigningRevocations(trx, copied, now)
}
