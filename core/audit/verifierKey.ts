import { decodeBase64, encodeHex } from '../bytes.ts'
import { encodeNoteKey, NOTE_KEY_TYPES } from './checkpoint.ts'

/** A public Ed25519 key that verifies signature lines of notes. */
export type NoteVerifierKey = {
  readonly name: string
  /** Four bytes in hexadecimal with `0x`. */
  readonly keyId: string
  /** A log signs the text; a witness signs the text together with the time. */
  readonly type: keyof typeof NOTE_KEY_TYPES
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Why a text is no verifier key. */
type VerifierKeyFault = 'malformed' | 'wrong_id'

/**
 * Parses an Ed25519 verifier key, `<name>+<key id>+<type and key in base64>`, of a log or of a witness.
 *
 * @returns `wrong_id` for a key whose id was not computed from its name and key, which suggests a copying mistake.
 * Source: C2SP signed-note "Verifier keys"; C2SP tlog-cosignature "Format".
 */
export function parseNoteVerifierKey(text: string): NoteVerifierKey | VerifierKeyFault {
  const [, name = '', id = '', encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? []
  const typed = decodeBase64(encoded)
  if (typed === null || typed.length !== 33) return 'malformed'
  const type = typeOf(typed[0])
  if (type === null) return 'malformed'
  const publicKey = typed.subarray(1)
  const keyId = encodeHex(encodeNoteKey(name, publicKey, type).keyId)
  return keyId === `0x${id}` ? { name, keyId, type, publicKey } : 'wrong_id'
}

function typeOf(byte: number | undefined): NoteVerifierKey['type'] | null {
  if (byte === NOTE_KEY_TYPES.signature) return 'signature'
  return byte === NOTE_KEY_TYPES.cosignature ? 'cosignature' : null
}
