import { type KeyObject, sign } from 'node:crypto'
import { sodium } from './sodium.ts'

/**
 * Prepares a private key to sign: by libsodium, and where there is none by Node's OpenSSL.
 *
 * Source: RFC 8032 §5.1.6.
 */
export function createEd25519Signer(privateKey: KeyObject, library = sodium): (text: Uint8Array) => Buffer {
  if (library === null) return (text) => sign(null, text, privateKey)
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
  return (text) => {
    const signature = Buffer.allocUnsafe(library.crypto_sign_BYTES)
    library.crypto_sign_detached(signature, text, secret)
    return signature
  }
}
