import { decodeBase64, decodeHex, encodeBase64, encodeHex } from '../bytes.ts'
import { sha256 } from '../hash.ts'

/** The claim of a checkpoint: the log `origin` had this root at this size. */
export type CheckpointFields = { readonly origin: string; readonly size: number; readonly root: string }

/**
 * Writes the text that a log signs for a checkpoint: origin, size and root, each on a line.
 *
 * @throws Error for an origin with white space or a plus sign.
 * Source: C2SP tlog-checkpoint, "Note text".
 */
export function writeCheckpointText({ origin, size, root }: CheckpointFields): string {
  if (!/^[^\s+]+$/.test(origin)) throw new Error(`"${origin}" cannot be the origin of a log`)
  return `${origin}\n${size}\n${encodeBase64(decodeHex(root))}\n`
}

/** One signature line of a note. */
export type NoteSignature = {
  readonly name: string
  /** Four bytes. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

/** A parsed checkpoint; it is not trusted until a signature or the chain confirms it. */
export type Checkpoint = CheckpointFields & {
  /** The text that is signed. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The number of signatures that every reader of notes has to accept. */
const SIGNATURES_MAX = 16

/** The longest note that is parsed: many times the length of any real one, and short enough for regular expressions. */
export const NOTE_CHARACTERS_MAX = 65_536

/** What is wrong with a note or a proof whose line ends were changed when it was saved; null if they were not. */
export function findLineEndFault(text: string): string | null {
  return text.includes('\r') ? 'its lines end with carriage returns; save the response byte for byte' : null
}

/**
 * Parses a checkpoint without extension lines, which our log does not write; null for anything else.
 *
 * Only the exact form is accepted. Anything that a writer would not write, such as two signatures by one key, is refused,
 * and so is anything longer than `NOTE_CHARACTERS_MAX`.
 *
 * Source: C2SP tlog-checkpoint "Note text"; C2SP signed-note "Format".
 */
export function parseCheckpoint(note: string): Checkpoint | null {
  if (note.length > NOTE_CHARACTERS_MAX) return null
  const match =
    /^([^\s+]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 [^\s+]+ [A-Za-z0-9+/=]+\n)+)$/u.exec(
      note,
    )
  if (match === null) return null
  const [origin, size, rootText, lines] = match.slice(1) as [string, string, string, string]
  const root = decodeBase64(rootText)
  const signatures = lines.trimEnd().split('\n').map(parseNoteSignature)
  if (root === null || !Number.isSafeInteger(Number(size)) || signatures.length > SIGNATURES_MAX) return null
  if (!signatures.every((signature) => signature !== null)) return null
  if (new Set(signatures.map(({ name, keyId }) => `${name} ${keyId}`)).size < signatures.length) return null
  const fields = { origin, size: Number(size), root: encodeHex(root) }
  return { ...fields, text: writeCheckpointText(fields), signatures }
}

/** Parses a signature line without its line break; null for anything else. Source: C2SP signed-note "Format". */
export function parseNoteSignature(line: string): NoteSignature | null {
  const [, name, encoded] = line.split(' ') as [string, string, string]
  const bytes = decodeBase64(encoded)
  if (bytes === null || bytes.length < 5) return null
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

/**
 * The types of Ed25519 keys: a log signs the text of a note, and a witness the text together with the time.
 *
 * Source: C2SP signed-note "Signature types".
 */
export const NOTE_KEY_TYPES = { signature: 0x01, cosignature: 0x04 } as const

/**
 * Encodes an Ed25519 key for signature lines and verifier keys: its id of four bytes, and the key prefixed by its type.
 *
 * The id only selects a key; it proves nothing.
 *
 * Source: C2SP signed-note, "Signatures" and "Ed25519 signatures"; C2SP tlog-cosignature "Format".
 */
export function encodeNoteKey(
  name: string,
  publicKey: Uint8Array,
  type: keyof typeof NOTE_KEY_TYPES = 'signature',
): { keyId: Uint8Array; typedKey: Uint8Array } {
  if (publicKey.length !== 32) throw new Error(`an Ed25519 key has 32 bytes, not ${publicKey.length}`)
  const typedKey = Uint8Array.of(NOTE_KEY_TYPES[type], ...publicKey)
  const keyId = sha256(Uint8Array.of(...new TextEncoder().encode(name), 0x0a, ...typedKey)).subarray(0, 4)
  return { keyId, typedKey }
}
