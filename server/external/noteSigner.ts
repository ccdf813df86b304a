import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { encodeNoteKey } from '@svc/core/audit/checkpoint.ts'

export type NoteSigner = ReturnType<typeof createNoteSigner>

/** Signs notes with one Ed25519 key under any name. Source: C2SP signed-note; RFC 8032. */
export function createNoteSigner(key: KeyObject) {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return {
    /** The whole note: the text, which ends its last line, and the signature line. */
    sign(name: string, text: string): string {
      const { keyId } = encodeNoteKey(name, publicKey)
      const signature = Buffer.concat([keyId, sign(null, Buffer.from(text, 'utf8'), key)])
      return `${text}\n\u2014 ${name} ${signature.toString('base64')}\n`
    },

    /** What a verifier needs to know: name, key id and key in one text, as the tools for notes read it. */
    verifierKey(name: string): string {
      const { keyId, typedKey } = encodeNoteKey(name, publicKey)
      return `${name}+${Buffer.from(keyId).toString('hex')}+${Buffer.from(typedKey).toString('base64')}`
    },

    /** The same key for everybody else: SubjectPublicKeyInfo in PEM. */
    publicKeyPem: () => createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
  }
}
