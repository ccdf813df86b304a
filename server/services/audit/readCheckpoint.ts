import { apiError } from '../../errors.ts'
import { type NewestAnchorDeps, newestAnchor } from './newestAnchor.ts'
import { type SignCheckpointDeps, signCheckpoint } from './signCheckpoint.ts'

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
  const anchor = await newestAnchor(anchors)
  if (anchor === null) {
    throw apiError('NOT_ANCHORED_YET', {
      message: 'Nothing is anchored yet; ask again after `Retry-After`.',
      headers: { 'Retry-After': String(anchors.batchSeconds) },
    })
  }
  const { batch, deployment } = anchor
  return signCheckpoint(checkpoints, { logId: deployment.logId, size: batch.newSize, root: batch.root })
}
