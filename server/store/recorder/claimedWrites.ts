import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../database/database.ts'
import type { IdempotencyStore } from './idempotencyStore.ts'
import type { Recorder, RecordIntent } from './recorder.ts'
import { lostClaimError } from './recorder.ts'

/** What the use cases of a request have answered, by the part of the request. */
export type UseCaseAnswers = Record<string, unknown>

/** The use of an Idempotency-Key that a request runs under. */
type Claim = {
  claimId: string
  /** What was written under the key before, by a request that gave no answer. */
  kept: UseCaseAnswers
  seal(kept: UseCaseAnswers): string
}

export type ClaimedWrites = {
  /** The database whose transactions note, inside themselves, the claim that they were made under. */
  db: Db
  /** The recorder whose transactions do the same. */
  wrapRecorder(recorder: Recorder): Recorder
  /** Runs a request under its claim. */
  runWithClaim<Result>(claim: Claim, work: () => Promise<Result>): Promise<Result>
  /** Runs a part of a request, which has an answer of its own. */
  runPart<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /**
   * Does the work, unless a request under the same claim did it before: then the result is the stored one. What is stored is
   * the result of the first transaction of the work, or the answer that the recorder was given.
   */
  runOnce<Result>(work: () => Promise<Result>): Promise<Result>
}

type Use = { claim: Claim; hasEnded: boolean }

/** Where a request stands: its use of a key, the part of it, and the work of `runOnce` that it is in. */
type Context = { use: Use; part: string; once?: { isStored: boolean } }

/** Part of a request that is of one piece. */
const WHOLE = ''

/**
 * Ties what a request writes to its use of an Idempotency-Key.
 *
 * The mark is part of the transaction, so that after a crash the row says truly whether something was written; and a
 * claim that another request has taken over since makes the transaction of the slow one fail. With it goes what the use
 * case will answer, so that a repetition after the crash can be told, identifiers and secrets that are shown once included.
 */
export function createClaimedWrites(db: Db, claims: Pick<IdempotencyStore, 'markApplied'>): ClaimedWrites {
  const current = new AsyncLocalStorage<Context>()
  // What a request only set going ends after it, and is no part of it.
  const running = () => {
    const under = current.getStore()
    return under === undefined || under.use.hasEnded ? null : { ...under, claim: under.use.claim }
  }
  return {
    db: {
      ...db,
      async transaction(work) {
        const under = running()
        if (under === null) return db.transaction(work)
        const { claim, part, once } = under
        const isAnswer = once?.isStored === false
        const committed = await db.transaction(async (trx) => {
          const result = await work(trx)
          const kept = isAnswer ? { ...claim.kept, [part]: result } : claim.kept
          if (under.use.hasEnded) return { result, kept }
          const text = isAnswer ? claim.seal(kept) : null
          if (await claims.markApplied(trx, claim.claimId, text)) return { result, kept }
          throw lostClaimError()
        })
        claim.kept = committed.kept
        if (isAnswer) once.isStored = true
        return committed.result
      },
    },
    wrapRecorder: (recorder) => ({
      ...recorder,
      // Most requests come without a key, and wait for no promise more than the recorder's.
      record(intent) {
        const under = running()
        return under === null ? recorder.record(intent) : recordUnder(under, recorder, intent)
      },
    }),
    async runWithClaim(claim, work) {
      const use = { claim, hasEnded: false }
      try {
        return await current.run({ use, part: WHOLE }, work)
      } finally {
        use.hasEnded = true
      }
    },
    runPart(name, work) {
      const under = current.getStore()
      return under === undefined ? work() : current.run({ ...under, part: name }, work)
    },
    runOnce<Result>(work: () => Promise<Result>) {
      const under = running()
      if (under === null) return work()
      const { use, part, claim } = under
      if (Object.hasOwn(claim.kept, part)) return Promise.resolve(claim.kept[part] as Result)
      return current.run({ use, part, once: { isStored: false } }, work)
    },
  }
}

async function recordUnder<Result>(
  { claim, part }: { claim: Claim; part: string },
  recorder: Recorder,
  intent: RecordIntent<Result>,
): Promise<Result> {
  let kept = claim.kept
  const keep = (answer: object) => {
    kept = { ...claim.kept, [part]: answer }
    return claim.seal(kept)
  }
  const result = await recorder.record({ ...intent, claimId: claim.claimId, sealAnswer: keep })
  claim.kept = kept
  return result
}
