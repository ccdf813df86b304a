import type { KeyObject } from 'node:crypto'
import { checkStatement } from './checkStatement.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './holderClaim.ts'
import { proofToken } from './proofToken.ts'
import { verifyJws } from './verifyJws.ts'

/**
 * Checks that one of some keys signed the statement of a claim.
 *
 * @returns The algorithm. @throws CredentialFault bad_proof.
 */
export function proveByKeys(keys: readonly KeyObject[], claim: HolderClaim): string {
  const jws = proofToken(claim)
  checkStatement(jws.payload, claim)
  if (!keys.some((key) => verifyJws(jws, key))) throw new CredentialFault('bad_proof')
  return jws.algorithm
}
