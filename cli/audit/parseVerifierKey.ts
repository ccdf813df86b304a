import { type NoteVerifierKey, parseNoteVerifierKey } from '@svc/core/audit/verifierKey.ts'

/** A key that verifies signed notes. */
export type VerifierKey = NoteVerifierKey & {
  /** Keys that it has handed over to, of which any may have signed instead. */
  successors?: readonly VerifierKey[]
}

/**
 * Parses the Ed25519 verifier key of a log, or of a witness, from an option: `<name>+<key id>+<type and key in base64>`.
 *
 * @throws Error with a message for the auditor.
 * Source: C2SP signed-note "Verifier keys".
 */
export function parseVerifierKey(
  text: string,
  option = '--log-key',
  type: VerifierKey['type'] = 'signature',
): VerifierKey {
  const key = parseNoteVerifierKey(text)
  if (key === 'wrong_id') throw new Error(`the key id in ${option} does not match its name and key`)
  if (key === 'malformed' || key.type !== type) {
    const kind = type === 'signature' ? 'an Ed25519 verifier key' : 'the Ed25519 verifier key of a witness'
    throw new Error(`${option} must be ${kind}: name+id+base64`)
  }
  return key
}
