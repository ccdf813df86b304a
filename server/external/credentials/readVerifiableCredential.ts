import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { CredentialFault } from './credentialFault.ts'
import type { HolderClaim } from './holderClaim.ts'
import { issuedToken } from './issuedToken.ts'
import { type ProveDidDeps, proveDid } from './proveDid.ts'
import type { VerifiedCredential } from './verifiedCredential.ts'

/**
 * Verifies a verifiable credential in JWT form: issuer's signature, times, and that its subject makes the claim.
 *
 * `credentialStatus` is not followed. @throws CredentialFault.
 * Source: VC Data Model 1.1 §6.3.1; Securing VCs using JOSE and COSE §3.1.
 */
export async function readVerifiableCredential(
  deps: ProveDidDeps,
  value: string,
  claim: HolderClaim,
): Promise<VerifiedCredential> {
  const { jws, issuer, validFrom, expiresAt } = await issuedToken(deps.didKeys, value, claim.now)
  const credential = (jws.payload.vc ?? jws.payload) as { type?: unknown; credentialSubject?: unknown }
  const types = [credential.type].flat()
  if (!types.includes('VerifiableCredential')) throw new CredentialFault('malformed')
  const { id } = (credential.credentialSubject ?? {}) as { id?: unknown }
  const subject = jws.payload.sub ?? id
  if (id !== undefined && id !== subject) throw new CredentialFault('malformed')
  const did = typeof subject === 'string' ? parseDid(subject) : undefined
  if (did === undefined) throw new CredentialFault('not_bound')
  const algorithm = await proveDid(deps, did, claim)
  return { claim: jws.signingInput, subject: did.did, issuer, algorithm, validFrom, expiresAt }
}
