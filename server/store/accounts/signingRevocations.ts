import { accountRevocationOf } from '@svc/core/signing/accountRevocationOf.ts'
import type { Knex } from 'knex'
import { withdrawGrants } from '../receipts/receiptStore.ts'
import { addRevocations } from '../recorder/addRevocations.ts'

type Wallet = { user_id: string; address: string }

/**
 * Stores that accounts no longer sign for the agents of a user and of the organisations that the user created, until every
 * process knows, and withdraws the grants of these agents that rest on them.
 *
 * @param wallets Addresses in lower case.
 */
export async function addSigningRevocations(
  trx: Knex.Transaction,
  wallets: readonly Wallet[],
  now: number,
): Promise<void> {
  for (const wallet of wallets) {
    const owners = await listOwners(trx, wallet)
    await addRevocations(trx, revocationsOf(owners, wallet), now)
    const agents = trx('agents').select('svc_id').whereIn('owner_id', owners)
    await withdrawGrants(trx, agents, { accounts: [wallet.address], at: now })
  }
}

/** Removes these revocations once the account may sign again. */
export async function removeSigningRevocations(trx: Knex.Transaction, wallet: Wallet): Promise<void> {
  await trx('used_proofs')
    .delete()
    .whereIn('proof', revocationsOf(await listOwners(trx, wallet), wallet))
}

/** The user and the organisations whose agents a wallet of the user concerns. */
async function listOwners(trx: Knex.Transaction, { user_id }: Wallet): Promise<string[]> {
  const developers: { id: string }[] = await trx('users')
    .select({ id: 'developer_id' })
    .where({ id: user_id })
  const organizations: { id: string }[] = await trx('organizations')
    .select('id')
    .where({ created_by: user_id })
  return [...developers, ...organizations].map(({ id }) => id)
}

function revocationsOf(owners: readonly string[], { address }: Wallet): string[] {
  return owners.map((ownerId) => accountRevocationOf({ ownerId, address }))
}
