import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { openWithAny, type SecretsKeys } from './secretsKeys.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
/** The second version names its key; the first one does not. */
const SEALED = /^v2\.([0-9a-f]{12})\./

/**
 * Identifies what a secret belongs to, so that it cannot be opened for anything else. Only the list of sealed values makes
 * one (`services/secrets/sealedValues.ts`), because what is not in it would be lost when the secrets key changes.
 */
export type SealContext = string & { readonly sealContext: unique symbol }

/** Encrypts secrets that must be readable later, each bound to the row that it belongs to. */
export type SecretBox = {
  /** @param context Identifies the row; the result cannot be opened for another one. */
  seal(secret: string, context: SealContext): string
  /** @throws Error when the text was changed, belongs to another row, or was sealed with an unknown key. */
  open(sealed: string, context: SealContext): string
  /** Whether a text is sealed with the current key. */
  isCurrent(sealed: string): boolean
}

/**
 * Encrypts under the current key, and decrypts under any: AES-256-GCM with a random 96-bit nonce for each secret.
 *
 * The result is `v2.`, the id of the key, a dot, and the base64url of nonce, ciphertext and tag. Texts of version 1 do not
 * name their key, so each one is tried.
 *
 * Source: NIST SP 800-38D.
 */
export function createSecretBox(keys: SecretsKeys): SecretBox {
  const [current] = keys
  return {
    seal(secret, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(Buffer.from(context))
      const text = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v2.${current.id}.${text.toString('base64url')}`
    },
    open(sealed, context) {
      const id = SEALED.exec(sealed)?.[1] ?? null
      const bytes = Buffer.from(sealed.replace(SEALED, '').replace(/^v1\./, ''), 'base64url')
      return openWithAny(keys, id, (key) => openText(key, bytes, context))
    },
    isCurrent: (sealed) => SEALED.exec(sealed)?.[1] === current.id,
  }
}

function openText(key: Uint8Array, bytes: Buffer, context: string): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
