import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { writeTlogProof } from '@svc/core/audit/tlogProof.ts'
import { apiError } from '../../errors.ts'
import { type FindRecordDeps, findRecord } from './findRecord.ts'
import { proofsOf } from './proofsOf.ts'
import { type SignCheckpointDeps, signCheckpoint } from './readCheckpoint.ts'
import type { ReadNodesDeps } from './readNodes.ts'
import { findNewestAnchor, type NewestAnchorDeps } from './sealBatch.ts'

export type ReadProofDeps = FindRecordDeps<{ seq: number; entry: string }> &
  NewestAnchorDeps &
  ReadNodesDeps & {
    /** Seconds after which it is worth asking again. */
    batchSeconds: number
  }

/**
 * The proof of a record, which anybody may have: an entry says nothing personal, and its id cannot be guessed.
 *
 * @throws ApiError NOT_FOUND; NOT_ANCHORED_YET while no confirmed batch holds the record.
 * Source: api.md "Approvals, activity, audit"; onchain.md "What an auditor gets".
 */
export async function readProof(deps: ReadProofDeps, input: { recordId: string }): Promise<ProofDocument> {
  const record = await findRecord(deps, input.recordId)
  const anchor = await findNewestAnchor(deps)
  const [proof] =
    anchor !== null && record.seq < anchor.batch.newSize ? await proofsOf(deps, anchor, [record]) : []
  if (proof === undefined) {
    throw apiError('NOT_ANCHORED_YET', { headers: { 'Retry-After': String(deps.batchSeconds) } })
  }
  return proof
}

export type ReadTlogProofDeps = { proofs: ReadProofDeps; checkpoints: SignCheckpointDeps }

/**
 * The proof of a record as C2SP `tlog-proof` text, under the checkpoint of the batch it is made against.
 *
 * @throws ApiError NOT_FOUND; NOT_ANCHORED_YET, as `readProof`.
 * Source: onchain.md "What an auditor gets".
 */
export async function readTlogProof(
  { proofs, checkpoints }: ReadTlogProofDeps,
  input: { recordId: string },
): Promise<string> {
  const proof = await readProof(proofs, input)
  const { logId, treeSize: size, root } = proof
  return writeTlogProof(proof, signCheckpoint(checkpoints, { logId, size, root }))
}
