import { findKeyAlgorithm, WEB_CRYPTO_ALGORITHMS } from '../agent/keyAlgorithms.ts'
import { bytesOf } from '../http/bytes.ts'

/** A public key of an agent. */
export type VerifyingKey = {
  /** Whether the key made the signature; false if `alg` names another algorithm than that of the key. Never rejects. */
  verifies(text: string, signature: Uint8Array<ArrayBuffer>, alg: string | undefined): Promise<boolean>
}

type Verifies = (signed: Uint8Array<ArrayBuffer>, signature: Uint8Array<ArrayBuffer>) => Promise<boolean>

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
  const native = algorithm === 'ed25519' ? importNatively(key) : undefined
  const verifies: Verifies =
    native ?? ((signed, signature) => crypto.subtle.verify(kind, imported, signature, signed))
  return {
    async verifies(text, signature, alg) {
      if (alg !== undefined && alg !== algorithm) return false
      return verifies(bytesOf(text), signature).catch(() => false)
    },
  }
}

/**
 * Node's own check of an Ed25519 signature, which takes less than Web Crypto needs to have another thread do it. Undefined
 * where there is none, as at the edge.
 */
function importNatively(jwk: JsonWebKey): Verifies | undefined {
  try {
    const node = globalThis.process?.getBuiltinModule?.('node:crypto')
    if (node === undefined) return undefined
    const key = node.createPublicKey({ key: { ...jwk }, format: 'jwk' })
    return async (signed, signature) => node.verify(null, signed, key, signature)
  } catch {
    return undefined
  }
}
