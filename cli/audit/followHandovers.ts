import { parseHandover } from '@svc/core/audit/handover.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { parseVerifierKey, type VerifierKey } from './parseVerifierKey.ts'
import { verifyEd25519 } from './verifyEd25519.ts'

/**
 * Follows the hand-overs of a log from a pinned key: returns its successors, each of which the key before it has named and
 * signed. Hand-overs of other keys are ignored.
 */
export function followHandovers(pinned: VerifierKey, notes: readonly string[]): VerifierKey[] {
  const successors: VerifierKey[] = []
  for (const note of notes) {
    const key = successors.at(-1) ?? pinned
    const handover = parseHandover(note)
    if (handover === null || handover.origin !== key.name) continue
    const { name, keyId, signature } = handover.signature
    if (name !== key.name || encodeHex(keyId) !== key.keyId) continue
    if (!verifyEd25519(key.publicKey, Buffer.from(handover.text, 'utf8'), signature)) continue
    const successor = parseVerifierKey(handover.verifierKey)
    if (successor.name === key.name) successors.push(successor)
  }
  return successors
}
