import { type KeyObject, verify } from 'node:crypto'
import type { CompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { base64url, flattenedVerify } from 'jose'

/**
 * Verifies that a key signed a token with the algorithm that the token names; false for a key of another type or curve.
 *
 * Source: RFC 7515 §5.2; RFC 7518 §3; RFC 8037 §3.1.
 */
export async function verifyJws(jws: CompactJws, key: KeyObject): Promise<boolean> {
  if (jws.algorithm === 'ES256K') return verifyEs256k(jws, key)
  const [encodedHeader = '', payload = ''] = jws.signingInput.split('.')
  const flattened = { protected: encodedHeader, payload, signature: base64url.encode(jws.signature) }
  return flattenedVerify(flattened, key, { algorithms: [jws.algorithm] }).then(
    () => true,
    () => false,
  )
}

/** jose has no secp256k1, the curve of Ethereum keys. Source: RFC 8812 §3.2. */
function verifyEs256k({ signingInput, signature }: CompactJws, key: KeyObject): boolean {
  if (key.type !== 'public' || key.asymmetricKeyDetails?.namedCurve !== 'secp256k1') return false
  return verify('sha256', Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' }, signature)
}
