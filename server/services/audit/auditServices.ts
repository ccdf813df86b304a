import type { ConsistencyDocument, ProofDocument } from '@svc/core/audit/proofDocument.ts'
import type { BatchView } from './batchView.ts'
import type { Export } from './exportRecords.ts'
import type { LogKey } from './readLogKey.ts'
import type { ReadRecord } from './readRecord.ts'

/** The audit log as routes use it. Source: api.md "Approvals, activity, audit". */
export type AuditServices = {
  readRecord(input: { recordId: string; actsFor: ReadonlySet<string> }): Promise<ReadRecord>
  readProof(input: { recordId: string }): Promise<ProofDocument>
  readTlogProof(input: { recordId: string }): Promise<string>
  readCheckpoint(): Promise<string>
  readLogKey(): Promise<LogKey>
  proveConsistency(input: { from: number; to: number | null }): Promise<ConsistencyDocument>
  listBatches(input: { limit: number; before: number | null }): Promise<{
    items: BatchView[]
    nextBefore: number | null
  }>
  readBatch(input: { number: number }): Promise<BatchView & { consistencyProof: readonly string[] }>
  exportRecords(input: { actsFor: ReadonlySet<string>; from: number; to: number }): Promise<Export>
}
