import type { VerificationAnswer } from './verificationAnswer.ts'
import type { VerificationFields } from './verificationFields.ts'
import type { VerifyClient } from './verifyClient.ts'

/** A pause of the service's own is kept, but never one that spins. */
const POLL_SECONDS_MIN = 1

/**
 * Waits while an agent's owner is asked, and sends the same request again under its attempt once the owner has decided.
 *
 * Answers what there was when nothing is to be waited for, or when the time is over: the request is then still held.
 * Source: Spec: POST /api/agents/verify-access, step-up.
 */
export async function holdStepUp(
  client: Pick<VerifyClient, 'pollApproval' | 'verifyAccess'>,
  { answer, fields, holdMs }: { answer: VerificationAnswer; fields: VerificationFields; holdMs: number },
): Promise<VerificationAnswer> {
  const approval = answer.stepUpApproval
  if (answer.recommendation !== 'step_up_required' || !approval) return answer
  const deadline = Date.now() + holdMs
  while (Date.now() < deadline) {
    const { status, pollAfterSeconds } = await client.pollApproval(approval.approvalId)
    if (status !== 'pending') return client.verifyAccess({ ...fields, attemptId: approval.attemptId })
    const pauseMs = Math.max(Number(pollAfterSeconds) || 0, POLL_SECONDS_MIN) * 1000
    await new Promise((resume) => setTimeout(resume, Math.min(pauseMs, Math.max(0, deadline - Date.now()))))
  }
  return answer
}
