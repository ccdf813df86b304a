import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { AuditRecord as RecordView } from '@svc/core/contract/audit.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { toEventView } from '../activity/eventView.ts'
import { type FindRecordDeps, findRecord, isParty } from './findRecord.ts'
import { type ReadProofDeps, readProof } from './readProof.ts'

export type ReadRecordDeps = FindRecordDeps & { proofs: ReadProofDeps }

/** What a caller may see of a record: a party the record, anyone else its proof. */
export type ReadRecord = { record: RecordView } | { proof: ProofDocument }

/**
 * Returns an audit record.
 *
 * @throws ApiError NOT_FOUND; NOT_ANCHORED_YET for callers that may only see the proof.
 */
export async function readRecord(
  deps: ReadRecordDeps,
  input: { recordId: string; actsFor: ReadonlySet<string> },
): Promise<ReadRecord> {
  const record = await findRecord(deps, input.recordId)
  if (isParty(record, input.actsFor)) return { record: toRecordView(record, input.actsFor) }
  return { proof: await readProof(deps.proofs, input) }
}

function toRecordView(record: AuditRecord, actsFor: ReadonlySet<string>): RecordView {
  return {
    seq: record.seq,
    recordId: record.recordId,
    entry: Buffer.from(record.entry, 'utf8').toString('base64'),
    event: toEventView(record, actsFor),
  }
}
