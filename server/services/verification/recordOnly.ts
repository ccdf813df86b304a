import type { NewAuditRecord } from '../../store/newAuditRecord.ts'
import type { Commitment, Recorder } from '../../store/recorder.ts'

/** Records outcomes that count nothing and ask nobody, with what is answered about them. */
export async function recordOnly(
  recorder: Recorder,
  records: readonly NewAuditRecord[],
  answer: object,
): Promise<void> {
  const commitment = { ...commitmentOf(records, undefined), answer: () => answer }
  await recorder.record({ counters: null, approval: null, decide: () => commitment })
}

/** A commitment of records alone; callers add what else the outcome writes. */
export function commitmentOf<Result>(records: readonly NewAuditRecord[], result: Result): Commitment<Result> {
  return {
    records,
    grants: [],
    spend: null,
    subAgent: null,
    newApproval: null,
    consumedApprovalId: null,
    result,
  }
}
