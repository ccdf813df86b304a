import { decodeBase64, decodeHex, encodeBase64, encodeHex } from '../bytes.ts'
import { sha256 } from '../hash.ts'

/** What a checkpoint says: that the log `origin` had this root at this size. */
export type CheckpointFields = { readonly origin: string; readonly size: number; readonly root: string }

/**
 * The text that a log signs to vouch for a head: origin, size and root, a line each.
 *
 * @throws Error for an origin that would not be one line.
 * Source: C2SP tlog-checkpoint, "Note text".
 */
export function writeCheckpointText({ origin, size, root }: CheckpointFields): string {
  if (!/^[^\s+]+$/.test(origin)) throw new Error(`"${origin}" cannot be the origin of a log`)
  return `${origin}\n${size}\n${encodeBase64(decodeHex(root))}\n`
}

/** One signature line of a note. */
type NoteSignature = {
  readonly name: string
  /** Four bytes. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

/** A checkpoint as it was read; nothing is believed before a signature or the chain has confirmed it. */
export type Checkpoint = CheckpointFields & {
  /** What the signatures are over. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** As many as a note of witnesses may have that everybody has to accept. */
const SIGNATURES_MAX = 16

/**
 * Reads a checkpoint of a log that writes no extension lines, as ours does not; null for anything else.
 *
 * Only the exact form is taken: what a writer would not have written, such as two signatures of one key, is no checkpoint.
 *
 * Source: C2SP tlog-checkpoint "Note text"; C2SP signed-note "Format".
 */
export function parseCheckpoint(note: string): Checkpoint | null {
  const match =
    /^([^\s+]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 [^\s+]+ [A-Za-z0-9+/=]+\n)+)$/u.exec(
      note,
    )
  if (match === null) return null
  const [origin, size, rootText, lines] = match.slice(1) as [string, string, string, string]
  const root = decodeBase64(rootText)
  const signatures = lines.trimEnd().split('\n').map(signatureOf)
  if (root === null || !Number.isSafeInteger(Number(size)) || signatures.length > SIGNATURES_MAX) return null
  if (!signatures.every((signature) => signature !== null)) return null
  if (new Set(signatures.map(({ name, keyId }) => `${name} ${keyId}`)).size < signatures.length) return null
  const fields = { origin, size: Number(size), root: encodeHex(root) }
  return { ...fields, text: writeCheckpointText(fields), signatures }
}

function signatureOf(line: string): NoteSignature | null {
  const [, name, encoded] = line.split(' ') as [string, string, string]
  const bytes = decodeBase64(encoded)
  if (bytes === null || bytes.length < 5) return null
  return { name, keyId: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

/** The type of Ed25519 signatures over the text of a note. */
const ED25519 = 0x01

/**
 * What a note's signature line and a verifier key say of an Ed25519 key: its id of four bytes, and the key behind its type.
 *
 * The id finds a key and proves nothing; the signature does.
 *
 * Source: C2SP signed-note, "Signatures" and "Ed25519 signatures".
 */
export function encodeNoteKey(
  name: string,
  publicKey: Uint8Array,
): { keyId: Uint8Array; typedKey: Uint8Array } {
  if (publicKey.length !== 32) throw new Error(`an Ed25519 key has 32 bytes, not ${publicKey.length}`)
  const typedKey = Uint8Array.of(ED25519, ...publicKey)
  const keyId = sha256(Uint8Array.of(...new TextEncoder().encode(name), 0x0a, ...typedKey)).subarray(0, 4)
  return { keyId, typedKey }
}
