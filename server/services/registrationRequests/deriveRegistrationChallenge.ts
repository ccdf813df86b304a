import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { sha256, sha256Hex } from '@svc/core/hash.ts'
import type { StoredRegistrationRequest } from '../../store/approvals/registrationRequestStore.ts'

/** Separates the digest from all others that the service signs or asks users to sign. */
const DOMAIN = 'SVC-REGISTRATION-REQUEST-V1'

/**
 * Derives the challenge that the owner's passkey signs. It covers this request, all fields of the requested agent and its
 * future owner, so that what is registered is what was approved.
 *
 * The random salt is secret until then, so the challenge cannot be known before it is requested.
 *
 * @param ownerId The account that decides; for an unclaimed outreach, the account that reads it. Source: WebAuthn 3
 * §13.4.3.
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
