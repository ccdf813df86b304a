import { findKeyAlgorithm, WEB_CRYPTO_ALGORITHMS } from '../agent/keyAlgorithms.ts'
import { bytesOf } from '../http/bytes.ts'
import { openNativeCheck } from './openNativeCheck.ts'

/** A public key that verifies signatures. */
export type VerifyingKey = {
  /**
   * Whether the key made the signature, without a promise where this process checks it itself; false if `alg` names another
   * algorithm than that of the key. Never rejects.
   */
  verifies(text: string, signature: Uint8Array<ArrayBuffer>, alg?: string): boolean | Promise<boolean>
}

/** Imports a public JWK; undefined for a curve whose keys cannot sign for agents. @throws Error for an invalid key. */
export async function importVerifyingKey(
  jwk: Readonly<Record<string, unknown>>,
): Promise<VerifyingKey | undefined> {
  const { kty, crv, x, y } = jwk
  const algorithm = findKeyAlgorithm(crv)
  if (algorithm === undefined) return undefined
  const kind = WEB_CRYPTO_ALGORITHMS[algorithm]
  const key = { kty, crv, x, ...(y === undefined ? {} : { y }) } as JsonWebKey
  const imported = await crypto.subtle.importKey('jwk', key, kind, false, ['verify'])
  const check = algorithm === 'ed25519' ? openNativeCheck(key) : undefined
  return {
    verifies(text, signature, alg = algorithm) {
      if (alg !== algorithm) return false
      if (check === undefined)
        return crypto.subtle.verify(kind, imported, signature, bytesOf(text)).catch(() => false)
      try {
        return check(encodeInPlace(text), signature)
      } catch {
        return false
      }
    },
  }
}

const encoder = new TextEncoder()
const bytes = new Uint8Array(4_096)

/** Encodes a text into shared memory, for a check that ends before the next text is encoded. */
function encodeInPlace(text: string): Uint8Array {
  const { read, written } = encoder.encodeInto(text, bytes)
  return read === text.length ? bytes.subarray(0, written) : bytesOf(text)
}
