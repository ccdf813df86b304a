import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { writeTlogProof } from '@svc/core/audit/tlogProof.ts'
import { apiError } from '../../errors.ts'
import type { ProvedRecord } from '../../store/audit/proofStore.ts'
import { type FindRecordDeps, findRecord } from './findRecord.ts'
import { proofsOf } from './proofsOf.ts'
import { appendCosignatures, type CosignedCheckpointDeps, signCheckpoint } from './readCheckpoint.ts'
import type { ReadNodesDeps } from './readNodes.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

export type ReadProofDeps = FindRecordDeps<ProvedRecord> & {
  /** What the proofs of a log read. */
  log(number: number): NewestAnchorDeps & Pick<ReadNodesDeps, 'tree'>
  /** Seconds after which a retry is worthwhile. */
  batchSeconds: number
}

/**
 * Returns the proof of a record to anyone: an entry contains nothing personal, and its id cannot be guessed.
 *
 * @throws ApiError NOT_FOUND; NOT_ANCHORED_YET while no confirmed batch contains the record. Source: docs/auditing.md.
 */
export async function readProof(deps: ReadProofDeps, input: { recordId: string }): Promise<ProofDocument> {
  const record = await findRecord(deps, input.recordId)
  const log = deps.log(record.log)
  const anchor = await findNewestAnchor(log)
  const isAnchored = anchor !== null && record.index < anchor.batch.newSize
  const { catchUp } = deps
  const [proof] = isAnchored ? await proofsOf({ ...log, catchUp }, anchor, [record]) : []
  if (proof === undefined) {
    throw apiError('NOT_ANCHORED_YET', { headers: { 'Retry-After': String(deps.batchSeconds) } })
  }
  return proof
}

export type ReadTlogProofDeps = { proofs: ReadProofDeps; checkpoints: CosignedCheckpointDeps }

/**
 * Returns the proof of a record as C2SP `tlog-proof` text, under the checkpoint of its batch.
 *
 * @throws ApiError as `readProof`.
 */
export async function readTlogProof(
  { proofs, checkpoints }: ReadTlogProofDeps,
  input: { recordId: string },
): Promise<string> {
  const proof = await readProof(proofs, input)
  const { logId, treeSize: size, root } = proof
  const checkpoint = signCheckpoint(checkpoints, { logId, size, root })
  return writeTlogProof(proof, await appendCosignatures(checkpoints, checkpoint))
}
