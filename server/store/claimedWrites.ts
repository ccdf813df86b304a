import { AsyncLocalStorage } from 'node:async_hooks'
import { claimLost } from './claimLost.ts'
import type { Db } from './database.ts'
import type { IdempotencyStore } from './idempotencyStore.ts'
import type { Recorder } from './recorder.ts'

export type ClaimedWrites = {
  /** The database whose transactions note, inside themselves, the claim that they were made under. */
  db: Db
  /** The recorder whose transactions do the same. */
  claimed(recorder: Recorder): Recorder
  /** Runs a request under its claim. */
  runUnder<Result>(claimId: string, work: () => Promise<Result>): Promise<Result>
}

/**
 * Ties what a request writes to its use of an Idempotency-Key, without any use case knowing of it.
 *
 * The mark is part of the transaction, so that after a crash the row says truly whether something was written; and a
 * claim that another request has taken over since makes the transaction of the slow one fail.
 */
export function createClaimedWrites(db: Db, claims: Pick<IdempotencyStore, 'markApplied'>): ClaimedWrites {
  const current = new AsyncLocalStorage<{ claimId: string; ended: boolean }>()
  return {
    db: {
      ...db,
      transaction: (work) =>
        db.transaction(async (trx) => {
          const result = await work(trx)
          const claim = current.getStore()
          // What a request only set going ends after it, and is no part of it.
          if (!claim || claim.ended) return result
          if (await claims.markApplied(trx, claim.claimId)) return result
          throw claimLost()
        }),
    },
    claimed: (recorder) => ({
      ...recorder,
      record(intent) {
        const claim = current.getStore()
        return recorder.record(claim && !claim.ended ? { ...intent, claimId: claim.claimId } : intent)
      },
    }),
    async runUnder(claimId, work) {
      const claim = { claimId, ended: false }
      try {
        return await current.run(claim, work)
      } finally {
        claim.ended = true
      }
    },
  }
}
