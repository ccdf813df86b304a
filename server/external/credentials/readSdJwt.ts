import { createHash } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import { hasUniqueDigests } from '@svc/core/credentials/hasUniqueDigests.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { checkStatement } from './checkStatement.ts'
import { CredentialFault } from './credentialFault.ts'
import { type DidKeys, readJwk } from './didKeys.ts'
import type { HolderClaim } from './parseProofToken.ts'
import type { VerifiedCredential } from './verifiedCredential.ts'
import { verifyIssuedToken } from './verifyIssuedToken.ts'
import { verifyJws } from './verifyJws.ts'

/**
 * Verifies an SD-JWT with key binding: the issuer's signature, the times, the disclosures, and the key-binding JWT, which is
 * the holder's proof over exactly this presentation.
 *
 * @throws CredentialFault. Source: RFC 9901 §7.
 */
export async function readSdJwt(
  { didKeys }: { didKeys: DidKeys },
  value: string,
  claim: HolderClaim,
): Promise<VerifiedCredential> {
  const parts = value.split('~')
  const { jws, issuer, validFrom, expiresAt } = await verifyIssuedToken(didKeys, parts[0] ?? '', claim.now)
  // The type keeps another token of the issuer that confirms a key from passing as an SD-JWT.
  if (!/(^|\+)sd-jwt$/.test(String(jws.header.typ))) throw new CredentialFault('malformed')
  const { jwk } = (jws.payload.cnf ?? {}) as { jwk?: unknown }
  const key = readJwk(jwk)
  if (key === null) throw new CredentialFault('not_bound')
  const binding = parseCompactJws(parts.length > 1 ? (parts.at(-1) ?? '') : '')
  if (binding === null || !(await verifyJws(binding, key))) throw new CredentialFault('bad_proof')
  checkStatement(binding.payload, claim)
  if (!hasUniqueDigests(jws.payload, parts.slice(1, -1))) throw new CredentialFault('malformed')
  await checkPresentation(value, claim)
  const { sub } = jws.payload
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

/** Checks the digests of the disclosures and the hash of the presentation. The signatures have been verified. */
async function checkPresentation(value: string, { nonce, now }: HolderClaim): Promise<void> {
  const instance = new SDJwtInstance({
    hasher: (data: string | ArrayBuffer, algorithm: string) => {
      if (algorithm.toLowerCase() !== 'sha-256') throw new CredentialFault('unsupported')
      return createHash('sha256')
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest()
    },
    verifier: async () => true,
    kbVerifier: async () => true,
  })
  try {
    await instance.verify(value, {
      keyBindingNonce: nonce,
      currentDate: Math.floor(now / 1000),
      skewSeconds: 60,
    })
  } catch (error) {
    if (error instanceof CredentialFault) throw error
    throw new CredentialFault('bad_proof', error)
  }
}
