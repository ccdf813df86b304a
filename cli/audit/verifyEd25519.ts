import { createPublicKey, verify } from 'node:crypto'

/** Verifies an Ed25519 signature with a public key of 32 bytes; false for bytes that are no signature. Source: RFC 8032. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const x = Buffer.from(publicKey).toString('base64url')
  return verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    signature,
  )
}
