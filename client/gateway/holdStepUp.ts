import { isUnavailable } from '../http/isUnavailable.ts'
import type { VerifyClient } from './createVerifyClient.ts'
import type { VerificationAnswer } from './verificationAnswer.ts'
import type { VerificationFields } from './verificationFields.ts'

type Hold = {
  answer: VerificationAnswer
  fields: VerificationFields
  holdMs: number
  /** Says that the caller has gone. */
  signal?: AbortSignal | undefined
  wait?: ((ms: number) => Promise<void>) | undefined
  /** Epoch milliseconds. */
  now?: () => number
}

/** A pause of the service's own is kept, but never one that spins. */
const POLL_SECONDS_MIN = 1
const AWAY_SECONDS_DEFAULT = 5

/**
 * Waits while an agent's owner is asked, and sends the same request again under its attempt once the owner has decided.
 *
 * Answers what there was when nothing is to be waited for, when the time is over, or when the caller has gone: an approval
 * must not be used up for nobody. A service that is away is asked again; that it is away once the owner has decided leaves
 * the request held, because it was never granted.
 *
 * Source: Spec: POST /api/agents/verify-access, step-up.
 */
export async function holdStepUp(
  client: Pick<VerifyClient, 'pollApproval' | 'verifyAccess'>,
  { answer, fields, holdMs, signal, wait = (ms) => pause(ms, signal), now = Date.now }: Hold,
): Promise<VerificationAnswer> {
  const approval = answer.stepUpApproval
  if (answer.recommendation !== 'step_up_required' || !approval) return answer
  const deadline = now() + holdMs
  while (now() < deadline && !signal?.aborted) {
    const { isDecided, pauseSeconds } = await look(client, approval.approvalId)
    if (signal?.aborted) break
    if (isDecided) return again(client, { ...fields, attemptId: approval.attemptId }, answer)
    await wait(Math.min(pauseSeconds * 1000, Math.max(0, deadline - now())))
  }
  return answer
}

async function look(client: Pick<VerifyClient, 'pollApproval'>, approvalId: string) {
  try {
    const { status, pollAfterSeconds } = await client.pollApproval(approvalId)
    const pauseSeconds = Math.max(Number(pollAfterSeconds) || 0, POLL_SECONDS_MIN)
    return { isDecided: status !== 'pending', pauseSeconds }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { isDecided: false, pauseSeconds: error.retryAfterSeconds || AWAY_SECONDS_DEFAULT }
  }
}

async function again(
  client: Pick<VerifyClient, 'verifyAccess'>,
  fields: VerificationFields,
  held: VerificationAnswer,
): Promise<VerificationAnswer> {
  try {
    return await client.verifyAccess(fields)
  } catch (error) {
    if (isUnavailable(error)) return held
    throw error
  }
}

/** Ends when the caller goes, and leaves no timer behind. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resume) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resume()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
