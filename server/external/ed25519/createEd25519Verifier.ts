import { type KeyObject, verify } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { createSignatureChecks } from './createSignatureChecks.ts'
import { sodium } from './sodium.ts'

/** One thread for the whole process, like its thread pool, which signatures keep out of: a DNS lookup may take seconds. */
const checks = createSignatureChecks({
  spawn: () => new Worker(new URL('./signatureThread.ts', import.meta.url)),
  library: sodium,
})

/**
 * Prepares a public key to verify signatures: by libsodium, and where there is none by Node's OpenSSL.
 *
 * Bytes that are no signature are not one; nothing is thrown.
 *
 * Source: RFC 8032 §5.1.7.
 */
export function createEd25519Verifier(publicKey: KeyObject, library = sodium) {
  if (library === null)
    return async (text: Uint8Array, signature: Uint8Array) => verify(null, text, publicKey, signature)
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return async (text: Uint8Array, signature: Uint8Array) =>
    signature.length === library.crypto_sign_BYTES && checks.verify({ key, text, signature })
}
