import { constants, type KeyObject, verify } from 'node:crypto'
import type { CompactJws, JwsAlgorithm } from '@svc/core/credentials/parseCompactJws.ts'

type Algorithm = { keyType: string; curve?: string; hash: string | null; padding?: number }

const EDWARDS = { keyType: 'ed25519', hash: null }

const ALGORITHMS: Record<JwsAlgorithm, Algorithm> = {
  EdDSA: EDWARDS,
  Ed25519: EDWARDS,
  ES256: { keyType: 'ec', curve: 'prime256v1', hash: 'sha256' },
  ES256K: { keyType: 'ec', curve: 'secp256k1', hash: 'sha256' },
  ES384: { keyType: 'ec', curve: 'secp384r1', hash: 'sha384' },
  RS256: { keyType: 'rsa', hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
  PS256: { keyType: 'rsa', hash: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
}

const RSA_BITS_MIN = 2_048

/**
 * Whether a key signed a token, by the algorithm that the token names and the key is of.
 *
 * Source: RFC 7515 §5.2; RFC 7518 §3; RFC 8037 §3.1; RFC 8812 §3.2.
 */
export function verifyJws(jws: CompactJws, key: KeyObject): boolean {
  const { keyType, curve, hash, padding } = ALGORITHMS[jws.algorithm]
  const details = key.asymmetricKeyDetails
  if (key.type !== 'public' || key.asymmetricKeyType !== keyType) return false
  if (details?.namedCurve !== curve) return false
  if (keyType === 'rsa' && (details?.modulusLength ?? 0) < RSA_BITS_MIN) return false
  try {
    return verify(
      hash,
      Buffer.from(jws.signingInput),
      {
        key,
        dsaEncoding: 'ieee-p1363',
        ...(padding === undefined ? {} : { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
      },
      jws.signature,
    )
  } catch {
    // A signature of another length or form: not this key's.
    return false
  }
}
