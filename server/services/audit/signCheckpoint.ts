import { writeCheckpointText } from '@svc/core/audit/checkpoint.ts'
import type { NoteSigner } from '../../external/noteSigner.ts'
import { logOrigin } from './logOrigin.ts'

export type SignCheckpointDeps = { signer: Pick<NoteSigner, 'sign'>; publicUrl: string }

/**
 * The checkpoint of a head that is final on chain, signed by the log.
 *
 * No other head may be given: what was anchored the chain has checked to extend what was anchored before, so no two
 * checkpoints contradict one another.
 *
 * Source: C2SP tlog-checkpoint "Signatures".
 */
export function signCheckpoint(
  { signer, publicUrl }: SignCheckpointDeps,
  head: { logId: string; size: number; root: string },
): string {
  const origin = logOrigin(publicUrl, head.logId)
  return signer.sign(origin, writeCheckpointText({ origin, size: head.size, root: head.root }))
}
