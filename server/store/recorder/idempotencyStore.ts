import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** A use of an Idempotency-Key. */
export type IdempotencyClaim = {
  /** The caller; different callers may use the same key. */
  caller: string
  key: string
  /** Identifies this use, so that an abandoned one cannot continue. */
  claimId: string
  /** Hash of method, URL and body. */
  fingerprint: string
  /**
   * `running`: nothing written yet; `applied`: written; `interrupted`: written, then failed; `answered`: response stored.
   */
  state: 'running' | 'applied' | 'interrupted' | 'answered'
  /** Sealed; null until answered. */
  answer: string | null
  /** Results of its use cases when they wrote, sealed; null if no such result was stored. */
  useCaseAnswers: string | null
  /** Epoch milliseconds. */
  claimedAt: number
}

const COLUMNS = {
  caller: 'caller',
  key: 'key',
  claimId: 'claim_id',
  fingerprint: 'fingerprint',
  state: 'state',
  answer: 'answer',
  useCaseAnswers: 'kept',
  claimedAt: 'claimed_at',
} as const satisfies Record<keyof IdempotencyClaim, string>

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>

/** Stores uses of Idempotency-Keys. Every change is one statement that names the claim it may change. */
export function createIdempotencyStore(query: Knex) {
  return {
    /** Claims the key, or returns its holder; of two concurrent calls exactly one gets null. */
    async claim(
      claim: Omit<IdempotencyClaim, 'state' | 'answer' | 'useCaseAnswers'>,
    ): Promise<IdempotencyClaim | null> {
      const taken = await query('idempotency_keys')
        .insert({
          caller: claim.caller,
          key: claim.key,
          claim_id: claim.claimId,
          fingerprint: claim.fingerprint,
          state: 'running',
          claimed_at: claim.claimedAt,
        })
        .onConflict(['caller', 'key'])
        .ignore()
        .returning('claim_id')
      if (taken.length > 0) return null
      const { caller, key } = claim
      const holder = await query('idempotency_keys').select(COLUMNS).where({ caller, key }).first()
      return holder ? { ...holder, claimedAt: Number(holder.claimedAt) } : this.claim(claim)
    },

    /**
     * Stores that the claim’s request has written, with its results; false if the claim was released or taken over in the
     * meantime.
     */
    async markApplied(trx: Knex.Transaction, claimId: string, kept: string | null): Promise<boolean> {
      const marked = await trx('idempotency_keys')
        .where({ claim_id: claimId })
        .whereIn('state', ['running', 'applied'])
        .update({ state: 'applied', ...(kept === null ? {} : { kept }) })
      return marked > 0
    },

    async storeAnswer(claimId: string, answer: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId }).update({ state: 'answered', answer })
    },

    /** Releases the key; if its request has written something, the key can then be taken over. */
    async release(claimId: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId, state: 'running' }).delete()
      const applied = { claim_id: claimId, state: 'applied' }
      await query('idempotency_keys').where(applied).update({ state: 'interrupted' })
    },

    /** Deletes a use whose response may not be repeated. */
    async drop(claimId: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId }).delete()
    },

    /** Takes over a use that wrote and did not respond; false if it has changed since it was read. */
    async takeOver(
      seen: Pick<IdempotencyClaim, 'claimId' | 'state'>,
      by: Pick<IdempotencyClaim, 'claimId' | 'claimedAt'>,
    ): Promise<boolean> {
      const taken = await query('idempotency_keys')
        .where({ claim_id: seen.claimId, state: seen.state })
        .whereNotNull('kept')
        .update({ claim_id: by.claimId, state: 'applied', claimed_at: by.claimedAt })
      return taken > 0
    },

    /** Deletes uses from before `time`, in epoch milliseconds. */
    async deleteBefore(time: number): Promise<void> {
      await deleteExpired(query, 'idempotency_keys', time)
    },
  }
}
