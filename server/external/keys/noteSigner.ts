import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { encodeNoteKey } from '@svc/core/audit/checkpoint.ts'

export type NoteSigner = {
  /** Returns the signed note: the text, which must end with a newline, and the signature line. */
  sign(name: string, text: string): string
  /** Returns only the signature line. */
  line(name: string, text: string): string
  /** Returns the verifier key: name, key ID and public key in one text. */
  verifierKey(name: string): string
  /** Returns the public key as SubjectPublicKeyInfo in PEM. */
  publicKeyPem(): string
  /** Returns the notes in which former keys name their successors, oldest first. */
  handovers(name: string): string[]
}

/** Signs notes with one Ed25519 key under any name. Source: C2SP signed-note; RFC 8032. */
export function createNoteSigner(key: KeyObject): NoteSigner {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  function line(name: string, text: string): string {
    const { keyId } = encodeNoteKey(name, publicKey)
    const signature = Buffer.concat([keyId, sign(null, Buffer.from(text, 'utf8'), key)])
    return `\u2014 ${name} ${signature.toString('base64')}\n`
  }
  return {
    line,
    sign: (name, text) => `${text}\n${line(name, text)}`,

    verifierKey(name) {
      const { keyId, typedKey } = encodeNoteKey(name, publicKey)
      return `${name}+${Buffer.from(keyId).toString('hex')}+${Buffer.from(typedKey).toString('base64')}`
    },

    publicKeyPem: () => createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString(),
    handovers: () => [],
  }
}
