import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { apiError } from '../../errors.ts'
import { type FindRecordDeps, findRecord } from './findRecord.ts'
import { type NewestAnchorDeps, newestAnchor } from './newestAnchor.ts'
import { proofsOf } from './proofsOf.ts'
import type { ReadNodesDeps } from './readNodes.ts'

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
  const anchor = await newestAnchor(deps)
  const [proof] =
    anchor !== null && record.seq < anchor.batch.newSize ? await proofsOf(deps, anchor, [record]) : []
  if (proof === undefined) {
    throw apiError('NOT_ANCHORED_YET', { headers: { 'Retry-After': String(deps.batchSeconds) } })
  }
  return proof
}
