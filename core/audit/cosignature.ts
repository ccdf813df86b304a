import { encodeBase64, encodeHex } from '../bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { NoteVerifierKey } from './verifierKey.ts'

/** Verifies an Ed25519 signature with a public key of 32 bytes; false for bytes that are no signature. */
export type VerifyEd25519 = (
  publicKey: Uint8Array,
  message: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
) => boolean

/** What a key says of a note: it is not among the signers, its signature is wrong, or the line with which it signed. */
export type FoundSignature =
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid' }
  | {
      readonly kind: 'valid'
      /** The whole line, with its newline. */
      readonly line: string
      /** When a witness signed, in Unix seconds; null for a log. */
      readonly time: number | null
    }

const TIME_BYTES = 8

/**
 * Finds and verifies the signature of one key on a checkpoint. Lines of other keys are ignored.
 *
 * A witness signs a header, its time and the text of the checkpoint. A time of zero, which would mean that it makes no
 * statement about the newest tree, does not count as a cosignature.
 *
 * Source: C2SP signed-note "Signatures"; C2SP tlog-cosignature "Ed25519 signed message".
 */
export function findNoteSignature(
  { text, signatures }: Checkpoint,
  key: NoteVerifierKey,
  verify: VerifyEd25519,
): FoundSignature {
  const own = signatures.find(({ name, keyId }) => name === key.name && encodeHex(keyId) === key.keyId)
  if (own === undefined) return { kind: 'absent' }
  const line = `\u2014 ${own.name} ${encodeBase64(Uint8Array.of(...own.keyId, ...own.signature))}\n`
  if (key.type === 'signature') {
    const isValid = verify(key.publicKey, utf8(text), own.signature)
    return isValid ? { kind: 'valid', line, time: null } : { kind: 'invalid' }
  }
  const time = timeOf(own.signature)
  const isValid =
    time !== null &&
    verify(key.publicKey, utf8(writeCosignedText(time, text)), own.signature.subarray(TIME_BYTES))
  return isValid ? { kind: 'valid', line, time } : { kind: 'invalid' }
}

/** Writes what a witness signs for a checkpoint. */
function writeCosignedText(time: number, text: string): string {
  return `cosignature/v1\ntime ${time}\n${text}`
}

/** The big-endian time before the signature; null for none, or for one that no clock of this age shows. */
function timeOf(signature: Uint8Array): number | null {
  if (signature.length < TIME_BYTES) return null
  const time = signature.subarray(0, TIME_BYTES).reduce((value, byte) => value * 256 + byte, 0)
  return time > 0 && Number.isSafeInteger(time) ? time : null
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
