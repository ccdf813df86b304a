import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { SealContext } from './keys/secretBox.ts'
import { openWithAny, type SecretsKeys } from './keys/secretsKeys.ts'

/** The first version does not name its key. */
const UNNAMED = 1
const VERSION = 2
const KEY_BYTES = 32
const ID_BYTES = 6
const IV_BYTES = 12
const TAG_BYTES = 16
/** Derives a key different from that of short secrets, so that neither key opens what the other sealed. */
const PURPOSE = 'svc documents v1'

/** Encrypts documents, each bound to the row that it belongs to. */
export type DocumentBox = {
  /** @param context Identifies the row; the result cannot be opened for another one. */
  seal(document: Uint8Array, context: SealContext): Uint8Array
  /** @throws Error when the bytes were changed, belong to another row, or were sealed with an unknown key. */
  open(sealed: Uint8Array, context: SealContext): Uint8Array
  /** Whether a document is sealed with the current key. */
  isCurrent(sealed: Uint8Array): boolean
}

/**
 * Encrypts bytes of any length under a key derived from the secrets key: AES-256-GCM with a random 96-bit nonce. The result
 * is a version byte, the id of the secrets key, nonce, ciphertext and tag, in binary because base64 would be a third longer.
 *
 * Source: NIST SP 800-38D; RFC 5869.
 */
export function createDocumentBox(secretsKeys: SecretsKeys): DocumentBox {
  const [current, ...others] = secretsKeys
  const keys: SecretsKeys = [deriveKey(current), ...others.map(deriveKey)]
  const { id, bytes: key } = keys[0]
  const start = Buffer.concat([Uint8Array.of(VERSION), Buffer.from(id, 'hex')])
  return {
    seal(document, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
      const text = [cipher.update(document), cipher.final()]
      return Buffer.concat([start, iv, ...text, cipher.getAuthTag()])
    },
    open(sealed, context) {
      if (sealed[0] === UNNAMED)
        return openWithAny(keys, null, (each) => openBytes(each, sealed.subarray(1), context))
      if (sealed[0] !== VERSION)
        throw new Error(`expected a sealed document of version ${VERSION}, got ${sealed[0]}`)
      const named = Buffer.from(sealed.subarray(1, 1 + ID_BYTES)).toString('hex')
      return openWithAny(keys, named, (each) => openBytes(each, sealed.subarray(1 + ID_BYTES), context))
    },
    isCurrent: (sealed) => start.equals(sealed.subarray(0, start.length)),
  }
}

function deriveKey({ id, bytes }: SecretsKeys[0]): SecretsKeys[0] {
  return { id, bytes: new Uint8Array(hkdfSync('sha256', bytes, '', PURPOSE, KEY_BYTES)) }
}

function openBytes(key: Uint8Array, bytes: Uint8Array, context: string): Uint8Array {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  return Buffer.concat([text, decipher.final()])
}
