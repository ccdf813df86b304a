import { decodeBase64Url } from '@svc/core/bytes.ts'

/** Whether an Ed25519 key made the signature, which is any bytes. */
export type NativeCheck = (signed: Uint8Array, signature: Uint8Array) => boolean

/** What is used of libsodium. */
type Sodium = {
  readonly crypto_sign_BYTES: number
  crypto_sign_verify_detached(signature: Uint8Array, signed: Uint8Array, publicKey: Uint8Array): boolean
}

/**
 * Opens the fastest check of an Ed25519 key that this process has: libsodium's where the optional package `sodium-native` is
 * installed, or else Node's own, which takes twice as long, but less than Web Crypto needs to have another thread do it.
 * Undefined where there is neither, as at the edge.
 *
 * @param jwk A valid public key.
 * Source: RFC 8032 §5.1.7.
 */
export function openNativeCheck(jwk: JsonWebKey): NativeCheck | undefined {
  try {
    return openLibsodiumCheck(jwk) ?? openNodeCheck(jwk)
  } catch {
    return undefined
  }
}

function openLibsodiumCheck({ x = '' }: JsonWebKey): NativeCheck | undefined {
  const library = loadSodium()
  const key = decodeBase64Url(x)
  if (library === undefined || key === null) return undefined
  return (signed, signature) =>
    signature.length === library.crypto_sign_BYTES &&
    library.crypto_sign_verify_detached(signature, signed, key) === true
}

/**
 * Undefined where it is not installed or has no binary for the platform, and in a CommonJS bundle, which has no place of its
 * own to look from. It is required at run time, so that nothing that bundles this file looks for the package.
 */
function loadSodium(): Sodium | undefined {
  try {
    return globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url)(
      'sodium-native',
    )
  } catch {
    return undefined
  }
}

function openNodeCheck(jwk: JsonWebKey): NativeCheck | undefined {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (node === undefined) return undefined
  const key = node.createPublicKey({ key: { ...jwk }, format: 'jwk' })
  return (signed, signature) => node.verify(null, signed, key, signature)
}
