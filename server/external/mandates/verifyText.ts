import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { isJsonObject } from '@svc/core/json.ts'

const RSA_BITS_MIN = 2048
/** DER prefix of a raw Ed25519 key. Source: RFC 8410 §4. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Source: RFC 9421 §3.3; `rsa-pss-sha256` and `PS256` as in the Trusted Agent Protocol. */
const RSA_HASHES: Readonly<Record<string, string>> = {
  'rsa-pss-sha256': 'sha256',
  ps256: 'sha256',
  'rsa-pss-sha512': 'sha512',
  ps512: 'sha512',
}

/**
 * Whether a declared key signed a text: Ed25519, ECDSA with P-256, or RSA-PSS; `unsupported` for any other key, and for what
 * is none. The key is a JWK, PEM, the DER of that in base64, or a raw Ed25519 key in base64.
 *
 * The key decides on the algorithm; the signature only chooses between the hashes of RSA. Source: RFC 9421 §3.3.
 */
export async function verifyText(
  declared: unknown,
  text: string,
  signature: Uint8Array,
  alg: string | undefined,
): Promise<boolean | 'unsupported'> {
  const key = readKey(declared)
  const data = Buffer.from(text)
  const name = alg?.toLowerCase()
  try {
    switch (key?.asymmetricKeyType) {
      case 'ed25519':
        return (name === undefined || name === 'ed25519') && verify(null, data, key, signature)
      case 'ec':
        if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return 'unsupported'
        return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)
      case 'rsa':
        return verifyRsa(key, data, signature, RSA_HASHES[name ?? 'rsa-pss-sha512'])
      default:
        return 'unsupported'
    }
  } catch {
    // Node throws for some malformed signatures.
    return false
  }
}

/** The sample agent salts with as many bytes as fit, and RFC 9421 with as many as the hash has. */
function verifyRsa(key: KeyObject, data: Buffer, signature: Uint8Array, hash: string | undefined): boolean {
  if (hash === undefined || (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN) return false
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return verify(hash, data, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature)
}

function readKey(declared: unknown): KeyObject | null {
  try {
    if (isJsonObject(declared)) {
      const { d: _, ...jwk } = declared
      return createPublicKey({ key: jwk, format: 'jwk' })
    }
    if (typeof declared !== 'string') return null
    if (declared.includes('PUBLIC KEY')) return createPublicKey(declared)
    const raw = Buffer.from(declared, 'base64')
    const key = raw.length === 32 ? Buffer.concat([ED25519_PREFIX, raw]) : raw
    return createPublicKey({ key, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}
