import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'

/**
 * Whether the answer to a request may be repeated under its Idempotency-Key while its parties are unchanged.
 *
 * Never one that is held, since the owner's decision changes it; one about a caller without identity, whose correlationId
 * stands for a single call; or one about third-party credentials, which can be withdrawn elsewhere.
 */
export function isRepeatableDecision(
  { recommendation, correlationId }: { recommendation: string; correlationId?: string | undefined },
  { credentials = [] }: Pick<VerificationRequest, 'credentials'>,
): boolean {
  const isUnheld = recommendation !== 'step_up_required' && correlationId === undefined
  return isUnheld && credentials.length === 0
}
