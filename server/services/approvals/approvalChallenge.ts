import { sha256 } from '@svc/core/hash.ts'
import type { StoredApproval } from '../../store/approvals/approvalStore.ts'

/** Keeps the digest apart from every other one the service signs or asks to be signed. */
const DOMAIN = 'SVC-STEP-UP-APPROVAL-V1'

/**
 * The challenge an owner's passkey signs: it stands for this approval, this request and these dimensions, and for
 * nothing else, so an assertion made for anything else never fits.
 *
 * The salt is drawn with the approval and shown to nobody, so the challenge cannot be known before it is asked for.
 * Source: verification.md "Approval"; WebAuthn 3 §13.4.3.
 */
export function approvalChallenge({
  id,
  requestHash,
  dimensions,
  challengeSalt,
}: Pick<StoredApproval, 'id' | 'requestHash' | 'dimensions' | 'challengeSalt'>): Uint8Array {
  return sha256([DOMAIN, id, requestHash, dimensions.join(','), challengeSalt].join('\n'))
}
