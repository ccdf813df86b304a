import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import { pause } from '../http/pause.ts'
import { isUnavailable } from '../http/svcApiError.ts'
import type { VerifyClient } from './createVerifyClient.ts'
import type { RequestFacts } from './requestFacts.ts'
import type { VerificationFields } from './verificationFields.ts'

type Hold = {
  answer: VerificationAnswer
  fields: VerificationFields
  /** The held request; its signal aborts when the caller disconnects. */
  facts: Pick<RequestFacts, 'headers' | 'signal'>
  holdMs: number
  wait?: ((ms: number) => Promise<void>) | undefined
  /** Epoch milliseconds. */
  now?: () => number
}

/** The service chooses the pause between polls, but not below this. */
const POLL_SECONDS_MIN = 1
const UNAVAILABLE_SECONDS_DEFAULT = 5

/**
 * Waits while an agent's owner is asked, and resends the request with its attempt id once the owner has decided.
 *
 * Returns the given answer if there is nothing to wait for, when the time is up, or when the caller disconnects, because an
 * approval must not be consumed for a caller that has gone. An unavailable service is polled again. If it is unavailable
 * after the owner has decided, the request stays held, because it was never granted.
 *
 * Source: Spec: POST /api/agents/verify-access, step-up.
 */
export async function holdStepUp(
  client: Pick<VerifyClient, 'pollApproval' | 'verifyAccess'>,
  { answer, fields, facts, holdMs, wait = (ms) => pause(ms, facts.signal), now = Date.now }: Hold,
): Promise<VerificationAnswer> {
  const { signal } = facts
  const approval = answer.stepUpApproval
  if (answer.recommendation !== 'step_up_required' || !approval) return answer
  const deadline = now() + holdMs
  while (now() < deadline && !signal?.aborted) {
    const { isDecided, pauseSeconds } = await poll(client, approval.approvalId)
    if (signal?.aborted) break
    if (isDecided) return resend(client, { ...fields, attemptId: approval.attemptId }, facts, answer)
    await wait(Math.min(pauseSeconds * 1000, Math.max(0, deadline - now())))
  }
  return answer
}

async function poll(client: Pick<VerifyClient, 'pollApproval'>, approvalId: string) {
  try {
    const { status, pollAfterSeconds } = await client.pollApproval(approvalId)
    const pauseSeconds = Math.max(Number(pollAfterSeconds) || 0, POLL_SECONDS_MIN)
    return { isDecided: status !== 'pending', pauseSeconds }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return { isDecided: false, pauseSeconds: error.retryAfterSeconds || UNAVAILABLE_SECONDS_DEFAULT }
  }
}

async function resend(
  client: Pick<VerifyClient, 'verifyAccess'>,
  fields: VerificationFields,
  facts: Hold['facts'],
  held: VerificationAnswer,
): Promise<VerificationAnswer> {
  try {
    return await client.verifyAccess(fields, facts)
  } catch (error) {
    if (isUnavailable(error)) return held
    throw error
  }
}
