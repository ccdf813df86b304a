import type { Knex } from 'knex'

/** Stores uses of proofs, and revocations of keys, outside the hot path; the recorder stores the uses of verifications. */
export function createUsedProofStore() {
  return {
    /** Stores the use of a proof; false if it was used before. `expiresAt` in epoch milliseconds. */
    async use(
      trx: Knex.Transaction,
      { proof, expiresAt }: { proof: string; expiresAt: number },
    ): Promise<boolean> {
      const inserted = await trx('used_proofs')
        .insert({ proof, expires_at: expiresAt })
        .onConflict('proof')
        .ignore()
        .returning('proof')
      return inserted.length > 0
    },
  }
}
