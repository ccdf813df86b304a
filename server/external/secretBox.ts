import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets that must be readable later, each bound to the row that it belongs to. */
export type SecretBox = {
  /** @param context Identifies the row; the result cannot be opened for another one. */
  seal(secret: string, context: string): string
  /** @throws Error when the text was changed, belongs to another row, or was sealed with another key. */
  open(sealed: string, context: string): string
}

/**
 * Encrypts under one key: AES-256-GCM with a random 96-bit nonce for each secret. The result is `v1.` and the base64url of
 * nonce, ciphertext and tag.
 *
 * Source: NIST SP 800-38D.
 */
export function createSecretBox(key: Uint8Array): SecretBox {
  if (key.length !== KEY_BYTES)
    throw new Error(`expected a secrets key of ${KEY_BYTES} bytes, got ${key.length}`)
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const text = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${text.toString('base64url')}`
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    },
  }
}
