import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256, sha256Hex } from '@svc/core/hash.ts'
import type { StoredRegistrationRequest } from '../../store/approvals/registrationRequestStore.ts'

/** Keeps the digest apart from every other one the service signs or asks to be signed. */
const DOMAIN = 'SVC-REGISTRATION-REQUEST-V1'

/**
 * The challenge an owner's passkey signs: it stands for this request, for every field of the agent that is asked for
 * and for whose it will be, so that what is registered is what was agreed to.
 *
 * The salt is drawn with the request and shown to nobody, so the challenge cannot be known before it is asked for.
 *
 * @param ownerId Who decides; of an outreach that nobody has answered for, the account that looks at it.
 * Source: verification.md "Approval"; WebAuthn 3 §13.4.3.
 */
export function deriveRegistrationChallenge(
  {
    id,
    registration,
    challengeSalt,
  }: Pick<StoredRegistrationRequest, 'id' | 'registration' | 'challengeSalt'>,
  ownerId: string,
): Uint8Array {
  const registrationHash = sha256Hex(canonicaliseJson(JSON.parse(registration)))
  return sha256([DOMAIN, id, registrationHash, ownerId, challengeSalt].join('\n'))
}
