import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 1
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
/** Derives a key different from that of short secrets, so that neither key opens what the other sealed. */
const PURPOSE = 'svc documents v1'

/** Encrypts documents, each bound to the row that it belongs to. */
export type DocumentBox = {
  /** @param context Identifies the row; the result cannot be opened for another one. */
  seal(document: Uint8Array, context: string): Uint8Array
  /** @throws Error when the bytes were changed, belong to another row, or were sealed with another key. */
  open(sealed: Uint8Array, context: string): Uint8Array
}

/**
 * Encrypts bytes of any length under a key derived from the secrets key: AES-256-GCM with a random 96-bit nonce. The result
 * is a version byte, nonce, ciphertext and tag, in binary because base64 would be a third longer.
 *
 * Source: NIST SP 800-38D; RFC 5869.
 */
export function createDocumentBox(secretsKey: Uint8Array): DocumentBox {
  const key = new Uint8Array(hkdfSync('sha256', secretsKey, '', PURPOSE, KEY_BYTES))
  return {
    seal(document, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const text = [cipher.update(document), cipher.final()]
      return Buffer.concat([Uint8Array.of(VERSION), iv, ...text, cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed[0] !== VERSION)
        throw new Error(`expected a sealed document of version ${VERSION}, got ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG_BYTES))
      const text = decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()])
    },
  }
}
