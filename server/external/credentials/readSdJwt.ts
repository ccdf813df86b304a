import { createHash } from 'node:crypto'
import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { revealDisclosures } from '@svc/core/credentials/revealDisclosures.ts'
import { checkStatement } from './checkStatement.ts'
import { CredentialFault } from './credentialFault.ts'
import { type DidKeys, readJwk } from './didKeys.ts'
import type { HolderClaim } from './parseProofToken.ts'
import type { VerifiedCredential } from './verifiedCredential.ts'
import { verifyIssuedToken } from './verifyIssuedToken.ts'
import { verifyJws } from './verifyJws.ts'

/**
 * Verifies an SD-JWT with key binding: the issuer's signature, every disclosure, the times and the audience, and the
 * key-binding JWT, which is the holder's proof over exactly this presentation.
 *
 * Disclosed claims are checked like the others: an issuer may put `exp` or `cnf` into a disclosure.
 *
 * @throws CredentialFault. Source: RFC 9901 §7.1, §7.3, §9.7.
 */
export async function readSdJwt(
  { didKeys }: { didKeys: DidKeys },
  value: string,
  claim: HolderClaim,
): Promise<VerifiedCredential> {
  const [token = '', ...disclosures] = value.split('~')
  const binding = parseCompactJws(disclosures.pop() ?? '')
  const jws = parseCompactJws(token)
  // The type keeps another token of the issuer that confirms a key from passing as an SD-JWT.
  if (jws === null || !/(^|\+)sd-jwt$/.test(String(jws.header.typ))) throw new CredentialFault('malformed')
  const revealed = revealDisclosures(jws.payload, disclosures)
  if (!revealed.ok) throw new CredentialFault(revealed.fault)
  const { payload } = revealed
  const { issuer, validFrom, expiresAt } = await verifyIssuedToken(didKeys, jws, payload, claim.now)
  checkAudience(payload.aud, claim.audience)
  const { jwk } = (payload.cnf ?? {}) as { jwk?: unknown }
  const key = readJwk(jwk)
  if (key === null) throw new CredentialFault('not_bound')
  if (binding === null || !(await verifyJws(binding, key))) throw new CredentialFault('bad_proof')
  checkBinding(binding, value.slice(0, value.lastIndexOf('~') + 1))
  checkStatement(binding.payload, claim)
  const { sub } = payload
  const thumbprint = createHash('sha256')
    .update(JSON.stringify(key.export({ format: 'jwk' })))
    .digest('base64url')
  return {
    claim: jws.signingInput,
    subject: typeof sub === 'string' && sub.length <= 512 ? sub : `key:${thumbprint}`,
    issuer,
    algorithm: binding.algorithm,
    validFrom,
    expiresAt,
  }
}

/** A credential for named audiences must name this service, by its origin or by the URL that the proof names. */
function checkAudience(aud: unknown, audience: string): void {
  if (aud === undefined) return
  const names: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!names.includes(audience) && !names.includes(new URL(audience).origin))
    throw new CredentialFault('wrong_audience')
}

/** @param presentation The SD-JWT with its disclosures and their final `~`. Source: RFC 9901 §4.3. */
function checkBinding({ header, payload }: CompactJws, presentation: string): void {
  const digest = createHash('sha256').update(presentation).digest('base64url')
  if (header.typ !== 'kb+jwt' || payload.sd_hash !== digest) throw new CredentialFault('bad_proof')
}
