import type { Knex } from 'knex'
import { forgetSome } from './forgetSome.ts'

/** One use of an Idempotency-Key. */
export type IdempotencyClaim = {
  /** Who used it; two callers may use the same key. */
  caller: string
  key: string
  /** Names this use of it, so that one that was given up cannot come back. */
  claimId: string
  /** Hash of method, address and body. */
  fingerprint: string
  /** `running` has written nothing yet, `applied` has, `answered` has its answer stored. */
  state: 'running' | 'applied' | 'answered'
  /** Sealed; null until answered. */
  answer: string | null
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
  claimedAt: 'claimed_at',
} as const satisfies Record<keyof IdempotencyClaim, string>

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>

/** Keeps the uses of Idempotency-Keys. Every change is one statement that names the claim it may change. */
export function createIdempotencyStore(query: Knex) {
  return {
    /** Takes the key, or answers who holds it; of two at once one gets null. */
    async claim(claim: Omit<IdempotencyClaim, 'state' | 'answer'>): Promise<IdempotencyClaim | null> {
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

    /** Notes that the claim's request has written; false when the claim was given up meanwhile. */
    async markApplied(trx: Knex.Transaction, claimId: string): Promise<boolean> {
      const marked = await trx('idempotency_keys')
        .where({ claim_id: claimId })
        .whereIn('state', ['running', 'applied'])
        .update({ state: 'applied' })
      return marked > 0
    },

    async storeAnswer(claimId: string, answer: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId }).update({ state: 'answered', answer })
    },

    /** Gives the key free, unless the request has written something. */
    async giveUp(claimId: string): Promise<void> {
      await query('idempotency_keys').where({ claim_id: claimId, state: 'running' }).delete()
    },

    /** Forgets uses from before `time`, in epoch milliseconds. */
    async forgetBefore(time: number): Promise<void> {
      await forgetSome(query, 'idempotency_keys', time)
    },
  }
}
