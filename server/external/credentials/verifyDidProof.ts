import type { Did } from '@svc/core/credentials/parseDid.ts'
import { writeHolderStatement } from '@svc/core/signing/buildSignedRequestMessage.ts'
import type { SignatureVerifier } from '../signatureVerifier.ts'
import { CredentialFault } from './credentialFault.ts'
import type { DidKeys } from './didKeys.ts'
import { type HolderClaim, parseProofToken } from './parseProofToken.ts'
import { verifyKeyProof } from './verifyKeyProof.ts'

export type VerifyDidProofDeps = { didKeys: DidKeys; signatures: SignatureVerifier }

/**
 * Checks that the subject of a DID signed the statement of a claim.
 *
 * @returns The algorithm, or `EIP-191` for an Ethereum address.
 * @throws CredentialFault bad_proof, unsupported, unresolvable. Source: DID Core §5.3.1; EIP-191.
 */
export async function verifyDidProof(
  { didKeys, signatures }: VerifyDidProofDeps,
  did: Did,
  claim: HolderClaim,
): Promise<string> {
  if (did.method === 'ethr') {
    const signer = await signatures.recoverSigner(writeHolderStatement(claim), claim.proof ?? '', did.address)
    if (signer === null) throw new CredentialFault('bad_proof')
    return 'EIP-191'
  }
  const keys = await didKeys(did, 'authentication', parseProofToken(claim).header.kid)
  if (typeof keys === 'string') throw new CredentialFault(keys)
  return verifyKeyProof(keys, claim)
}
