import { writeCheckpointText } from '@svc/core/audit/checkpoint.ts'
import { apiError } from '../../errors.ts'
import type { NoteSigner } from '../../external/noteSigner.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

export type ReadCheckpointDeps = {
  anchors: NewestAnchorDeps & { batchSeconds: number }
  checkpoints: SignCheckpointDeps
}

/**
 * The signed checkpoint of the newest head that is final on chain.
 *
 * @throws ApiError NOT_ANCHORED_YET while no batch is final.
 * Source: C2SP tlog-checkpoint.
 */
export async function readCheckpoint({ anchors, checkpoints }: ReadCheckpointDeps): Promise<string> {
  const anchor = await findNewestAnchor(anchors)
  if (anchor === null) {
    throw apiError('NOT_ANCHORED_YET', {
      message: 'Nothing is anchored yet; ask again after `Retry-After`.',
      headers: { 'Retry-After': String(anchors.batchSeconds) },
    })
  }
  const { batch, deployment } = anchor
  return signCheckpoint(checkpoints, { logId: deployment.logId, size: batch.newSize, root: batch.root })
}

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

/**
 * The name of an audit log in checkpoints, which is the name of its key too: a URL without a scheme.
 *
 * It ends with the id under which the contract knows the log, so that a checkpoint says which log of the chain it means.
 *
 * Source: C2SP tlog-checkpoint "Note text"; C2SP signed-note "Signatures".
 */
function logOrigin(publicUrl: string, logId: string): string {
  const { host, pathname } = new URL(publicUrl)
  return `${host}${pathname.replace(/\/+$/, '').replaceAll('+', '%2B')}/audit/${logId}`
}

export type ReadLogKeyDeps = { signer: NoteSigner; publicUrl: string; logId: () => Promise<string> }

/** The public side of the key that signs checkpoints. */
export type LogKey = {
  /** First line of the log's checkpoints, and the name of its key. */
  origin: string
  /** Name, key id and key, as tools for signed notes take it. */
  verifierKey: string
  /** The same key in PEM. */
  publicKeyPem: string
}

/** The key that checkpoints of this log are signed with. Source: C2SP signed-note. */
export async function readLogKey({ signer, publicUrl, logId }: ReadLogKeyDeps): Promise<LogKey> {
  const origin = logOrigin(publicUrl, await logId())
  return { origin, verifierKey: signer.verifierKey(origin), publicKeyPem: signer.publicKeyPem() }
}
