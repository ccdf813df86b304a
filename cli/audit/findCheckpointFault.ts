import type { Checkpoint } from '@svc/core/audit/checkpoint.ts'
import { findNoteSignature } from '@svc/core/audit/cosignature.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { verifyEd25519 } from './verifyEd25519.ts'

/**
 * Finds what is wrong with a checkpoint apart from its size and root, which the chain decides; null if nothing is.
 *
 * The checkpoint must name the log and, if a key is given, be signed with it or a successor. Signatures of other keys, such
 * as those of witnesses, are ignored.
 *
 * Source: C2SP signed-note "Signatures"; C2SP tlog-checkpoint.
 */
export function findCheckpointFault(
  checkpoint: Checkpoint,
  logId: string,
  key: VerifierKey | null,
): string | null {
  const { origin } = checkpoint
  if (!origin.endsWith(`/${logId}`)) return `the checkpoint is of ${origin}, not of the log ${logId}`
  if (key === null) return null
  if (origin !== key.name) return `the checkpoint is of ${origin}, but the key is of ${key.name}`
  const found = [key, ...(key.successors ?? [])].map(
    (one) => findNoteSignature(checkpoint, one, verifyEd25519).kind,
  )
  if (found.every((kind) => kind === 'absent'))
    return `the checkpoint is not signed with the key of ${key.name}`
  return found.includes('invalid') ? 'the signature of the checkpoint is invalid' : null
}
