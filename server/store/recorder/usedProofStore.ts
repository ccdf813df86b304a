import type { Knex } from 'knex'
import type { Recorder } from './recorder.ts'

/** For how long decisions look up a revocation itself: every process knows the change long before. */
export const LOOKED_UP_MS = 600_000

/**
 * Stores uses of proofs, and revocations of keys, outside the hot path; the recorder stores the uses of verifications.
 *
 * @param hasUsed Tells of uses by verifications that are not in the table; revocations never are.
 */
export function createUsedProofStore(hasUsed: Recorder['hasUsed'] = () => false) {
  return {
    /** Stores the use of a proof; false if it was used before. `expiresAt` in epoch milliseconds. */
    async use(
      trx: Knex.Transaction,
      { proof, expiresAt }: { proof: string; expiresAt: number },
    ): Promise<boolean> {
      if (hasUsed(proof)) return false
      const inserted = await trx('used_proofs')
        .insert({ proof, expires_at: expiresAt })
        .onConflict('proof')
        .ignore()
        .returning('proof')
      return inserted.length > 0
    },

    /** Stores that a key is revoked, until every process knows. `now` in epoch milliseconds. */
    async addRevocation(trx: Knex.Transaction, revocation: string, now: number): Promise<void> {
      const row = { proof: revocation, expires_at: now + LOOKED_UP_MS }
      await trx('used_proofs').insert(row).onConflict('proof').ignore()
    },
  }
}
