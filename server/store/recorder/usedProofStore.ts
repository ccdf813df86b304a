import type { Knex } from 'knex'
import { addRevocations } from './addRevocations.ts'
import type { Recorder } from './recorder.ts'

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

    /** Whether a proof was used before. */
    async isUsed(trx: Knex.Transaction, proof: string): Promise<boolean> {
      if (hasUsed(proof)) return true
      return (await trx('used_proofs').select('proof').where({ proof }).first()) !== undefined
    },

    addRevocations,

    /** Removes revocations of what may sign again. */
    async removeRevocations(trx: Knex.Transaction, revocations: readonly string[]): Promise<void> {
      await trx('used_proofs').delete().whereIn('proof', revocations)
    },
  }
}
