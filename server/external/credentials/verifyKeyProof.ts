import type { KeyObject } from 'node:crypto'
import { checkStatement } from './checkStatement.ts'
import { CredentialFault } from './credentialFault.ts'
import { type HolderClaim, parseProofToken } from './parseProofToken.ts'
import { verifyJws } from './verifyJws.ts'

/**
 * Checks that one of the keys signed the statement of a claim.
 *
 * @returns The algorithm. @throws CredentialFault bad_proof.
 */
export async function verifyKeyProof(keys: readonly KeyObject[], claim: HolderClaim): Promise<string> {
  const jws = parseProofToken(claim)
  checkStatement(jws.payload, claim)
  const verdicts = await Promise.all(keys.map((key) => verifyJws(jws, key)))
  if (!verdicts.includes(true)) throw new CredentialFault('bad_proof')
  return jws.algorithm
}
