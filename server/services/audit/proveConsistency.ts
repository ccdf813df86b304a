import { locatePeaks } from '@svc/core/audit/merkleTree.ts'
import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { assembleProof, planConsistencyProof } from '@svc/core/audit/proofPlan.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { apiError, validationError } from '../../errors.ts'
import { type ReadNodesDeps, readNodes } from './readNodes.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

export type ProveConsistencyDeps = NewestAnchorDeps &
  ReadNodesDeps & {
    /** Seconds after which a retry is worthwhile. */
    batchSeconds: number
  }

/**
 * Proves that the log of `to` entries begins with the log of `from` entries; by default, `to` is the anchored size.
 *
 * Any sizes up to the anchored one are allowed, even within a batch: roots reveal nothing about entries. Beyond the
 * anchored size, nothing is committed yet.
 *
 * @throws ApiError VALIDATION_ERROR if `from` is greater; NOT_ANCHORED_YET. Source: RFC 9162 §2.1.4.
 */
export async function proveConsistency(
  deps: ProveConsistencyDeps,
  { from, to }: { from: number; to: number | null },
): Promise<ConsistencyDocument> {
  if (to !== null && from > to) {
    throw validationError([{ pointer: '/from', code: 'too_big', message: 'is greater than `to`' }])
  }
  const anchor = await findNewestAnchor(deps)
  const fromSize = from
  const toSize = to ?? anchor?.batch.newSize ?? 0
  if (anchor === null || Math.max(fromSize, toSize) > anchor.batch.newSize) {
    throw apiError('NOT_ANCHORED_YET', {
      message: 'The anchored log is not that long; ask again after `Retry-After`.',
      headers: { 'Retry-After': String(deps.batchSeconds) },
    })
  }
  const plan = [locatePeaks(fromSize), locatePeaks(toSize), ...planConsistencyProof(fromSize, toSize)]
  const unique = new Map(plan.flat().map((address) => [`${address.level}/${address.index}`, address]))
  const hashes = assembleProof(plan, await readNodes(deps, [...unique.values()]))
  const [fromRoot = '', toRoot = '', ...consistencyProof] = hashes.map(encodeHex)
  const { logId, chainId, auditLog } = anchor.deployment
  return { logId, chainId, contract: auditLog, fromSize, fromRoot, toSize, toRoot, consistencyProof }
}
