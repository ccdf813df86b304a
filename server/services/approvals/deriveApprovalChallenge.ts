import { sha256 } from '@svc/core/hash.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'

/** Separates the digest from all others that the service signs or asks users to sign. */
const DOMAIN = 'SVC-STEP-UP-APPROVAL-V1'

/**
 * Derives the challenge that the owner's passkey signs. It stands for this approval, this request and these dimensions, so
 * that an assertion made for anything else never matches.
 *
 * The random salt is secret until then, so the challenge cannot be known before it is requested. Source: WebAuthn 3
 * §13.4.3.
 */
export function deriveApprovalChallenge({
  id,
  requestHash,
  dimensions,
  challengeSalt,
}: Pick<StoredApproval, 'id' | 'requestHash' | 'dimensions' | 'challengeSalt'>): Uint8Array {
  return sha256([DOMAIN, id, requestHash, dimensions.join(','), challengeSalt].join('\n'))
}
