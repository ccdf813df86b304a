import { NOTE_CHARACTERS_MAX } from '@svc/core/audit/checkpoint.ts'
import { parseHandover } from '@svc/core/audit/handover.ts'
import { parseNoteVerifierKey } from '@svc/core/audit/verifierKey.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { verifyEd25519 } from './verifyEd25519.ts'

/** Far more hand-overs than a log ever has, and few enough to be followed in a moment. */
export const HANDOVERS_MAX = 1_000

export type FollowedHandovers = {
  /** The successors of the pinned key, oldest first, each with the note in which the key before it names it. */
  successors: { key: VerifierKey; note: string }[]
  /** Notes that claim to come from the pinned key or a successor, and must not be trusted. */
  refused: { note: string; why: string }[]
}

/**
 * Follows the hand-overs of a log from a pinned key: each successor is named and signed by the key before it.
 *
 * Notes of keys that are not reached from the pinned one are ignored: they may be older. A key names one successor:
 * pass the note that was followed before first, so that no other one is followed instead.
 */
export function followHandovers(pinned: VerifierKey, notes: readonly string[]): FollowedHandovers {
  const successors: FollowedHandovers['successors'] = []
  const refused: FollowedHandovers['refused'] = []
  for (const note of notes) {
    const refuse = (why: string) => refused.push({ note, why })
    const handover = parseHandover(note)
    if (handover === null) {
      const isLong = note.length > NOTE_CHARACTERS_MAX
      refuse(isLong ? `it is longer than ${NOTE_CHARACTERS_MAX} characters` : 'it is malformed')
      continue
    }
    const keys = [pinned, ...successors.map(({ key }) => key)]
    const { name, keyId, signature } = handover.signature
    const at = keys.findIndex((key) => key.name === name && key.keyId === encodeHex(keyId))
    const signer = keys[at]
    if (signer === undefined || handover.origin !== signer.name) continue
    const successor = parseNoteVerifierKey(handover.verifierKey)
    if (!verifyEd25519(signer.publicKey, Buffer.from(handover.text, 'utf8'), signature)) {
      refuse('its signature is invalid')
    } else if (typeof successor === 'string' || successor.name !== name || successor.type !== 'signature') {
      refuse('it names no key of this log')
    } else if (at === successors.length) {
      successors.push({ key: successor, note })
    } else if (!isSameKey(keys[at + 1], successor)) {
      refuse('the same key has named another successor before')
    }
  }
  return { successors, refused }
}

/** Compares the keys, because another key with the same id of four bytes can be found. */
function isSameKey(one: VerifierKey | undefined, other: VerifierKey): boolean {
  return one !== undefined && Buffer.compare(one.publicKey, other.publicKey) === 0
}
