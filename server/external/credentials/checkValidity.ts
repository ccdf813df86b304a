import { CredentialFault } from './credentialFault.ts'
import type { Validity } from './validity.ts'

/** Clocks of issuers may be this far ahead of ours. */
const SKEW_MS = 60_000

/** Refuses what is not valid now. @throws CredentialFault not_yet_valid, expired. */
export function checkValidity({ validFrom, expiresAt }: Validity, now: number): void {
  if (validFrom !== null && validFrom > now + SKEW_MS) throw new CredentialFault('not_yet_valid')
  if (expiresAt !== null && expiresAt <= now) throw new CredentialFault('expired')
}
