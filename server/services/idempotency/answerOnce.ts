import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { SealContext, SecretBox } from '../../external/keys/secretBox.ts'
import type { ClaimedWrites, UseCaseAnswers } from '../../store/recorder/claimedWrites.ts'
import type { IdempotencyClaim, IdempotencyStore } from '../../store/recorder/idempotencyStore.ts'
import { sealContexts } from '../secrets/sealedValues.ts'

export type AnswerOnceDeps = {
  claims: IdempotencyStore
  runWithClaim: ClaimedWrites['runWithClaim']
  secrets: SecretBox
  randomBytes: (length: number) => Uint8Array
  /** Whether nothing on which the decisions among these results rest has been withdrawn. */
  areInForce: (kept: UseCaseAnswers, now: number) => Promise<boolean>
  /** Requests in progress in this process, by claim id. */
  running: Map<string, Promise<unknown>>
}

/** Runs the part of a request's work that a repetition must not run again; see `RepeatableCall`. */
export type Once = <Result>(work: () => Promise<Result>) => Promise<Result>

/** The request and its caller. */
export type KeyedRequest = {
  caller: string
  key: string
  fingerprint: string
  /** Epoch milliseconds. */
  now: number
  /**
   * For a decision: describes the state on which it depends. Its response is repeated only for a minute and only while this
   * is unchanged and nothing on which it rests was withdrawn, because a decision that is no longer true must not be
   * repeated.
   */
  stamp?: () => Promise<string> | string
}

/** A response that can be repeated, unless it says otherwise. */
export type RepeatableAnswer = {
  status?: number
  headers?: Record<string, string | string[]>
  body: unknown
  isRepeatable?: boolean
}

/** Longer than any request takes: a claim of this age without a write died with its process. */
const ABANDONED_MS = 60_000
const KEPT_MS = 24 * 3_600_000
const DECISION_MS = 60_000

/**
 * Runs the work of a keyed request once and returns the original response to every repetition.
 *
 * A repetition during the first request waits for it in the same process, and is refused in another. A request that failed
 * without writing is forgotten, so that it can be tried again. If a request wrote and then failed, or died with its
 * process, a repetition runs it again with the stored results of what was written. Responses contain secrets that are shown
 * once, and are therefore encrypted.
 *
 * @throws ApiError IDEMPOTENCY_CONFLICT for another request under the same key, one still running elsewhere, or one that
 * wrote and died before its result was stored. Source: docs/operations.md.
 */
export async function answerOnce<Answer extends RepeatableAnswer>(
  deps: AnswerOnceDeps,
  request: KeyedRequest,
  work: () => Promise<Answer> | Answer,
  hasLooked = false,
): Promise<Answer> {
  const { now, stamp, ...use } = request
  await deps.claims.deleteBefore(now - KEPT_MS)
  const claimId = generateUuidV4(deps.randomBytes(16))
  const attempt = claimAndWork(deps, { ...use, claimId, claimedAt: now }, work, stamp)
  deps.running.set(
    claimId,
    attempt.catch(() => undefined),
  )
  const outcome = await attempt.finally(() => deps.running.delete(claimId))
  if ('answer' in outcome) return outcome.answer
  const { holder } = outcome
  // First, because the state on which another request depends says nothing about this response.
  if (holder.fingerprint !== request.fingerprint) throw apiError('IDEMPOTENCY_CONFLICT')
  if (await isOutdated(deps, request, outcome)) {
    await deps.claims.drop(holder.claimId)
    return answerOnce(deps, request, work)
  }
  if (holder.answer !== null) return replayAnswer(deps, holder, holder.answer)
  const running = deps.running.get(holder.claimId)
  if (running) {
    const done = (await running) as Claimed<Answer> | undefined
    // Copies that were sent at the same time are one request, also if its response is not stored.
    if (done && 'answer' in done && done.answer.isRepeatable === false) return done.answer
  } else if (holder.state === 'running' && holder.claimedAt < now - ABANDONED_MS) {
    await deps.claims.release(holder.claimId)
  } else if (hasLooked) throw notYet(holder, now)
  // A request that ended between the two look-ups has stored its response by now.
  return answerOnce(deps, request, work, !running)
}

/** The response, or who holds the claim and the stamp that was made to compare with theirs. */
type Claimed<Answer> = { answer: Answer } | Held
type Held = { holder: IdempotencyClaim; stamp: string | undefined }

async function claimAndWork<Answer extends RepeatableAnswer>(
  deps: AnswerOnceDeps,
  claim: Parameters<IdempotencyStore['claim']>[0],
  work: () => Promise<Answer> | Answer,
  describeState: KeyedRequest['stamp'],
): Promise<Claimed<Answer>> {
  const { claims, runWithClaim, secrets } = deps
  // Before the work, so that a change during it makes the response outdated.
  const stamp = await describeState?.()
  const context = sealContexts.useCaseAnswers(claim.caller, claim.key)
  const holder = await claims.claim(claim)
  let kept: UseCaseAnswers = {}
  if (holder !== null) {
    const left = await takeOverLeft(deps, holder, claim, { stamp, context })
    if (left === null) return { holder, stamp }
    kept = left
  }
  const { claimId } = claim
  const seal = (answers: UseCaseAnswers) =>
    secrets.seal(JSON.stringify(stamp === undefined ? answers : { ...answers, [STAMP]: stamp }), context)
  try {
    const answer = await runWithClaim({ claimId, kept, seal }, async () => work())
    const sealed = secrets.seal(JSON.stringify({ ...answer, stamp }), sealContexts.repeatedAnswer(claimId))
    await (answer.isRepeatable === false ? claims.drop(claimId) : claims.storeAnswer(claimId, sealed))
    return { answer }
  } catch (error) {
    await claims.release(claimId)
    throw error
  }
}

/** The member of the stored results of use cases that has the stamp. */
const STAMP = '#stamp'

/** Takes over what an earlier run left, and returns the results it stored; null if it left nothing that may be used. */
async function takeOverLeft(
  deps: AnswerOnceDeps,
  holder: IdempotencyClaim,
  claim: Parameters<IdempotencyStore['claim']>[0],
  { stamp, context }: { stamp: string | undefined; context: SealContext },
): Promise<UseCaseAnswers | null> {
  if (holder.useCaseAnswers === null || !isLeft(deps, holder, claim)) return null
  const kept = openKept(deps.secrets, holder.useCaseAnswers, context)
  // A decision that died with its process can be taken over only after a minute, so it is repeated for another.
  const isRecent = claim.claimedAt - holder.claimedAt < ABANDONED_MS + DECISION_MS
  if (stamp !== undefined && (kept[STAMP] !== stamp || !isRecent)) return null
  if (stamp !== undefined && !(await deps.areInForce(kept, claim.claimedAt))) return null
  return (await deps.claims.takeOver(holder, claim)) ? kept : null
}

function openKept(secrets: SecretBox, sealed: string, context: SealContext): UseCaseAnswers {
  return JSON.parse(secrets.open(sealed, context))
}

/** Whether the holder's response to the same request is a decision that may not be repeated any more. */
async function isOutdated(
  { areInForce, running, secrets }: AnswerOnceDeps,
  { now }: KeyedRequest,
  { holder, stamp }: Held,
): Promise<boolean> {
  const { caller, key, claimId, claimedAt, answer, useCaseAnswers } = holder
  if (stamp === undefined || running.has(claimId)) return false
  if (now - claimedAt >= DECISION_MS) return true
  if (answer === null) return false
  if (openAnswer(secrets, claimId, answer).stamp !== stamp) return true
  if (useCaseAnswers === null) return false
  return !(await areInForce(openKept(secrets, useCaseAnswers, sealContexts.useCaseAnswers(caller, key)), now))
}

/** Whether an earlier run of the same request wrote under the key and will never respond. */
function isLeft(
  { running }: AnswerOnceDeps,
  holder: IdempotencyClaim,
  { fingerprint, claimedAt }: Pick<IdempotencyClaim, 'fingerprint' | 'claimedAt'>,
): boolean {
  if (holder.fingerprint !== fingerprint || holder.useCaseAnswers === null || running.has(holder.claimId))
    return false
  return hasEnded(holder, claimedAt)
}

function hasEnded({ state, claimedAt }: IdempotencyClaim, now: number): boolean {
  return state === 'interrupted' || (state === 'applied' && claimedAt < now - ABANDONED_MS)
}

function notYet(holder: IdempotencyClaim, now: number) {
  if (!hasEnded(holder, now)) return apiError('IDEMPOTENCY_CONFLICT', { headers: { 'Retry-After': '1' } })
  const message =
    'The first request wrote something and was interrupted; look for what it made before you use another key.'
  return apiError('IDEMPOTENCY_CONFLICT', { message })
}

function replayAnswer<Answer extends RepeatableAnswer>(
  deps: AnswerOnceDeps,
  { claimId }: IdempotencyClaim,
  sealed: string,
): Answer {
  const { stamp: _, ...answer } = openAnswer(deps.secrets, claimId, sealed)
  return { ...(answer as Answer), headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } }
}

function openAnswer(
  secrets: SecretBox,
  claimId: string,
  sealed: string,
): RepeatableAnswer & { stamp?: string } {
  return JSON.parse(secrets.open(sealed, sealContexts.repeatedAnswer(claimId)))
}
