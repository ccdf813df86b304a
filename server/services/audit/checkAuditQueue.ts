import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { BatchStore } from '../../store/audit/batchStore.ts'

/** How long a record may wait for the chain before an operator should look. */
const PATIENCE_MS = 10 * 60 * 1000

export type CheckAuditQueueDeps = {
  records: AuditRecordStore
  batches: BatchStore
  /** The fault of the projection or the sealing; null without one. */
  failure: () => string | null
}

/** Checks the path from record to proof. It never fails the service, because waiting records are safe. */
export async function checkAuditQueue(deps: CheckAuditQueueDeps, now: number): Promise<HealthCheck> {
  const confirmedSize = (await deps.batches.lastConfirmed())?.newSize ?? 0
  const waiting = (await deps.records.size()) - confirmedSize
  const oldest = await deps.records.bySeq(confirmedSize)
  const oldestMs = oldest === null ? 0 : Math.max(0, now - Number(oldest.recordedAt))
  const observed = { waiting, oldestSeconds: Math.floor(oldestMs / 1000) }
  const failure = deps.failure()
  if (failure !== null) return { status: 'warn', detail: failure, observed }
  if (oldestMs > PATIENCE_MS) return { status: 'warn', detail: 'records wait long for the chain', observed }
  return { status: 'pass', observed }
}
