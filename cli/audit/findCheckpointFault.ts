import { verify } from 'node:crypto'
import type { Checkpoint } from '@svc/core/audit/checkpoint.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import type { VerifierKey } from './parseVerifierKey.ts'

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
  const { origin, text, signatures } = checkpoint
  if (!origin.endsWith(`/${logId}`)) return `the checkpoint is of ${origin}, not of the log ${logId}`
  if (key === null) return null
  if (origin !== key.name) return `the checkpoint is of ${origin}, but the key is of ${key.name}`
  const known = [key, ...(key.successors ?? [])]
  const own = signatures.flatMap((signature) => {
    const { name, keyId } = signature
    const signer = known.find((each) => name === each.name && encodeHex(keyId) === each.keyId)
    return signer === undefined ? [] : [{ ...signature, signer }]
  })
  if (own.length === 0) return `the checkpoint is not signed with the key of ${key.name}`
  const isSigned = own.every(({ signature, signer }) =>
    verify(null, Buffer.from(text, 'utf8'), signer.key, signature),
  )
  return isSigned ? null : 'the signature of the checkpoint is invalid'
}
