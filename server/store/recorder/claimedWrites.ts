import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../database/database.ts'
import type { DecisionGrounds } from './decisionGrounds.ts'
import type { IdempotencyStore } from './idempotencyStore.ts'
import type { Recorder, RecordIntent } from './recorder.ts'
import { lostClaimError } from './recorder.ts'

/** The results of a request’s use cases, by part of the request. */
export type UseCaseAnswers = Record<string, unknown>

/** The use of an Idempotency-Key under which a request runs. */
type Claim = {
  claimId: string
  /** What an earlier request under the key wrote before it failed to respond. */
  kept: UseCaseAnswers
  seal(kept: UseCaseAnswers): string
}

export type ClaimedWrites = {
  /** The database whose transactions also record their claim. */
  db: Db
  /** Wraps a recorder so that its transactions record their claim as well. */
  wrapRecorder(recorder: Recorder): Recorder
  /** Runs a request under its claim. */
  runWithClaim<Result>(claim: Claim, work: () => Promise<Result>): Promise<Result>
  /** Runs a part of a request that has its own result. */
  runPart<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /**
   * Does the work, unless an earlier request under the same claim did: then it returns the stored result. The stored result
   * is that of the work’s first transaction, or the answer given to the recorder.
   */
  runOnce<Result>(work: () => Promise<Result>): Promise<Result>
}

type Use = { claim: Claim; hasEnded: boolean }

/** The state of a running request: its use of a key, its current part, and the work of `runOnce` in progress. */
type Context = { use: Use; part: string; once?: { isStored: boolean } }

/** The part name for requests without parts. */
const WHOLE = ''
/** The member of the results that lists on what their decisions rest; no part has this name. */
const GROUNDS = '#grounds'

/** Lists on what the decisions among the results of a request rest; none for results that a former release stored. */
export function groundsAmong(kept: UseCaseAnswers): readonly DecisionGrounds[] {
  return (kept[GROUNDS] ?? []) as readonly DecisionGrounds[]
}

/**
 * Ties a request’s writes to its use of an Idempotency-Key.
 *
 * The mark is part of the transaction, so after a crash the row shows reliably whether anything was written, and the
 * transaction of a slow request fails if another request has taken over its claim. The result of the use case is stored
 * with it, so that a repetition after the crash receives the same result, including identifiers and secrets that are shown
 * once.
 */
export function createClaimedWrites(db: Db, claims: Pick<IdempotencyStore, 'markApplied'>): ClaimedWrites {
  const current = new AsyncLocalStorage<Context>()
  // Work that a request started in the background ends after it and is not part of it.
  const running = () => {
    const under = current.getStore()
    return under === undefined || under.use.hasEnded ? null : { ...under, claim: under.use.claim }
  }
  return {
    db: {
      ...db,
      async transaction(work, changes) {
        const under = running()
        if (under === null) return db.transaction(work, changes)
        const { claim, part, once } = under
        const isAnswer = once?.isStored === false
        const committed = await db.transaction(async (trx) => {
          const result = await work(trx)
          const kept = isAnswer ? { ...claim.kept, [part]: result } : claim.kept
          if (under.use.hasEnded) return { result, kept }
          const text = isAnswer ? claim.seal(kept) : null
          if (await claims.markApplied(trx, claim.claimId, text)) return { result, kept }
          throw lostClaimError()
        }, changes)
        claim.kept = committed.kept
        if (isAnswer) once.isStored = true
        return committed.result
      },
    },
    wrapRecorder: (recorder) => ({
      ...recorder,
      // Most requests have no key, and must not wait for an additional promise.
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
  const keep = (answer: object, grounds: DecisionGrounds) => {
    kept = { ...claim.kept, [part]: answer, [GROUNDS]: [...groundsAmong(claim.kept), grounds] }
    return claim.seal(kept)
  }
  const result = await recorder.record({ ...intent, claimId: claim.claimId, sealAnswer: keep })
  claim.kept = kept
  return result
}
