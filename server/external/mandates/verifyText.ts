import { constants, type KeyObject, verify } from 'node:crypto'
import { readDeclaredKey } from './readDeclaredKey.ts'

const RSA_BITS_MIN = 2048

/** Source: RFC 9421 §3.3; `rsa-pss-sha256` and `PS256` as in the Trusted Agent Protocol. */
const RSA_HASHES: Readonly<Record<string, string>> = {
  'rsa-pss-sha256': 'sha256',
  ps256: 'sha256',
  'rsa-pss-sha512': 'sha512',
  ps512: 'sha512',
}

/**
 * Whether a declared key signed a text: Ed25519, ECDSA with P-256, or RSA-PSS; `unsupported` for any other key, and for what
 * is none.
 *
 * The key decides on the algorithm; the signature only chooses between the hashes of RSA. Source: RFC 9421 §3.3.
 */
export async function verifyText(
  declared: unknown,
  text: string,
  signature: Uint8Array,
  alg: string | undefined,
): Promise<boolean | 'unsupported'> {
  const key = readDeclaredKey(declared)
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
