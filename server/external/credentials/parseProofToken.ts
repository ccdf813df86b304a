import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './holderClaim.ts'

/** Parses the proof of a claim, without verifying it. @throws CredentialFault bad_proof if it is no token. */
export function parseProofToken({ proof }: HolderClaim): CompactJws {
  const jws = proof === undefined ? null : parseCompactJws(proof)
  if (jws === null) throw new CredentialFault('bad_proof')
  return jws
}
