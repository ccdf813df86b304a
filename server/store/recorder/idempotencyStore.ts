import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** One use of an Idempotency-Key. */
export type IdempotencyClaim = {
  /** Who used it; two callers may use the same key. */
  caller: string
  key: string
  /** Names this use of it, so that one that was given up cannot come back. */
  claimId: string
  /** Hash of method, address and body. */
  fingerprint: string
  /** `running` has written nothing yet, `applied` has, `interrupted` has and failed, `answered` has its answer stored. */
  state: 'running' | 'applied' | 'interrupted' | 'answered'
  /** Sealed; null until answered. */
  answer: string | null
  /** What its use cases answered when they wrote, sealed; null while nothing that is answered was written. */
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

/** Keeps the uses of Idempotency-Keys. Every change is one statement that names the claim it may change. */
export function createIdempotencyStore(query: Knex) {
  return {
    /** Takes the key, or answers who holds it; of two at once one gets null. */
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
     * Notes that the claim's request has written, and what is kept of it; false when the claim was given up or taken over
     * meanwhile.
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

    /** Gives the key free; one whose request has written something can then be taken over. */
    async release(claimId: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId, state: 'running' }).delete()
      const applied = { claim_id: claimId, state: 'applied' }
      await query('idempotency_keys').where(applied).update({ state: 'interrupted' })
    },

    /** Goes on with a use that wrote and gave no answer; false when it was not as it was seen any more. */
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

    /** Forgets uses from before `time`, in epoch milliseconds. */
    async deleteBefore(time: number): Promise<void> {
      await deleteExpired(query, 'idempotency_keys', time)
    },
  }
}
