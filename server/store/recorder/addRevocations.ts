import type { Knex } from 'knex'

/** For how long decisions look up a revocation itself: every process knows the change long before. */
const LOOKED_UP_MS = 600_000

/**
 * Stores for decisions to read that keys or accounts are revoked, until every process knows. `now` in epoch milliseconds.
 */
export async function addRevocations(
  trx: Knex.Transaction,
  revocations: readonly string[],
  now: number,
): Promise<void> {
  const rows = revocations.map((proof) => ({ proof, expires_at: now + LOOKED_UP_MS }))
  await trx('used_proofs').insert(rows).onConflict('proof').merge(['expires_at'])
}
