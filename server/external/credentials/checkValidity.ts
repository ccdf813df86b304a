import { CredentialFault } from './credentialFault.ts'
import type { Validity } from './validity.ts'

/** How far an issuer's clock may be ahead of ours. */
const SKEW_MS = 60_000

/** @throws CredentialFault not_yet_valid, expired. */
export function checkValidity({ validFrom, expiresAt }: Validity, now: number): void {
  if (validFrom !== null && validFrom > now + SKEW_MS) throw new CredentialFault('not_yet_valid')
  if (expiresAt !== null && expiresAt <= now) throw new CredentialFault('expired')
}
