import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './parseProofToken.ts'
import type { VerifiedCredential } from './verifiedCredential.ts'
import { type VerifyDidProofDeps, verifyDidProof } from './verifyDidProof.ts'
import { verifyIssuedToken } from './verifyIssuedToken.ts'

/**
 * Verifies a verifiable credential in JWT form: the issuer's signature, the times, and the proof of its subject.
 *
 * `credentialStatus` is ignored. @throws CredentialFault.
 * Source: VC Data Model 1.1 §6.3.1; Securing VCs using JOSE and COSE §3.1.
 */
export async function readVerifiableCredential(
  deps: VerifyDidProofDeps,
  value: string,
  claim: HolderClaim,
): Promise<VerifiedCredential> {
  const jws = parseCompactJws(value)
  if (jws === null) throw new CredentialFault('malformed')
  const { issuer, validFrom, expiresAt } = await verifyIssuedToken(deps.didKeys, jws, jws.payload, claim.now)
  const credential = (jws.payload.vc ?? jws.payload) as { type?: unknown; credentialSubject?: unknown }
  const types = [credential.type].flat()
  if (!types.includes('VerifiableCredential')) throw new CredentialFault('malformed')
  const { id } = (credential.credentialSubject ?? {}) as { id?: unknown }
  const subject = jws.payload.sub ?? id
  if (id !== undefined && id !== subject) throw new CredentialFault('malformed')
  const did = typeof subject === 'string' ? parseDid(subject) : undefined
  if (did === undefined) throw new CredentialFault('not_bound')
  const algorithm = await verifyDidProof(deps, did, claim)
  return { claim: jws.signingInput, subject: did.did, issuer, algorithm, validFrom, expiresAt }
}
