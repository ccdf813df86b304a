import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import type { HolderStatement } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { CredentialFault } from './credentialFault.ts'

/** Parses the proof of a claim, without verifying it. @throws CredentialFault bad_proof if it is no token. */
export function parseProofToken({ proof }: HolderClaim): CompactJws {
  const jws = proof === undefined ? null : parseCompactJws(proof)
  if (jws === null) throw new CredentialFault('bad_proof')
  return jws
}

/** A holder's statement, with its proof. */
export type HolderClaim = HolderStatement & {
  /** A compact JWS, or the `0x…` signature of an Ethereum address. */
  proof: string | undefined
  now: number
}
