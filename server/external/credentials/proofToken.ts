import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './holderClaim.ts'

/** The token that is the proof of a claim, not verified. @throws CredentialFault bad_proof where there is none. */
export function proofToken({ proof }: HolderClaim): CompactJws {
  const jws = proof === undefined ? null : parseCompactJws(proof)
  if (jws === null) throw new CredentialFault('bad_proof')
  return jws
}
