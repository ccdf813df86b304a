import { type KeyObject, sign, verify } from 'node:crypto'

/** What is used of libsodium, whose functions take any bytes. */
type Sodium = {
  readonly crypto_sign_BYTES: number
  crypto_sign_detached(signature: Uint8Array, text: Uint8Array, secretKey: Uint8Array): void
  crypto_sign_verify_detached(signature: Uint8Array, text: Uint8Array, publicKey: Uint8Array): boolean
}

/** Null on a platform for which it has no binary, such as Alpine Linux. */
const sodium: Sodium | null = await import('sodium-native').then(
  (module) => module.default,
  () => null,
)

/** One key's signature check or signature, over bytes. */
type Verify = (text: Uint8Array, signature: Uint8Array) => boolean
type Sign = (text: Uint8Array) => Buffer

/**
 * Prepares a public key to verify signatures, as every signed request needs: libsodium takes half as long as Node's OpenSSL
 * (`npm run bench -- --only http`), which serves where there is no libsodium.
 *
 * Bytes that are no signature are not one; nothing is thrown.
 *
 * Source: RFC 8032 §5.1.7.
 */
export function createEd25519Verifier(publicKey: KeyObject, library = sodium): Verify {
  if (library === null) return (text, signature) => verify(null, text, publicKey, signature)
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return (text, signature) =>
    signature.length === library.crypto_sign_BYTES &&
    library.crypto_sign_verify_detached(signature, text, key)
}

/**
 * Prepares a private key to sign.
 *
 * Source: RFC 8032 §5.1.6.
 */
export function createEd25519Signer(privateKey: KeyObject, library = sodium): Sign {
  if (library === null) return (text) => sign(null, text, privateKey)
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
  return (text) => {
    const signature = Buffer.allocUnsafe(library.crypto_sign_BYTES)
    library.crypto_sign_detached(signature, text, secret)
    return signature
  }
}
