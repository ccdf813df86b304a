import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import type { Knex } from 'knex'
import { addRevocations } from '../recorder/addRevocations.ts'

type Wallet = { user_id: string; address: string }

/**
 * Stores that accounts no longer sign for the agents of a user and of the organisations that the user created, until every
 * process knows.
 *
 * @param wallets Addresses in lower case.
 */
export async function addSigningRevocations(
  trx: Knex.Transaction,
  wallets: readonly Wallet[],
  now: number,
): Promise<void> {
  for (const wallet of wallets) await addRevocations(trx, await listRevocations(trx, wallet), now)
}

/** Removes these revocations once the account may sign again. */
export async function removeSigningRevocations(trx: Knex.Transaction, wallet: Wallet): Promise<void> {
  await trx('used_proofs')
    .delete()
    .whereIn('proof', await listRevocations(trx, wallet))
}

async function listRevocations(trx: Knex.Transaction, { user_id, address }: Wallet): Promise<string[]> {
  const developers: { id: string }[] = await trx('users')
    .select({ id: 'developer_id' })
    .where({ id: user_id })
  const organizations: { id: string }[] = await trx('organizations')
    .select('id')
    .where({ created_by: user_id })
  return [...developers, ...organizations].map(({ id }) => accountRevocationOf({ ownerId: id, address }))
}
