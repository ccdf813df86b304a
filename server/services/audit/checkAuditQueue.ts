import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { BatchStore } from '../../store/audit/batchStore.ts'
import { type ReadTimeDeps, readWaitingSince } from './readTime.ts'

/** How long a record may wait for the chain before an operator should look. */
const PATIENCE_MS = 10 * 60 * 1000

export type CheckAuditQueueDeps = {
  records: AuditRecordStore
  logs: ReadTimeDeps['logs']
  /** Opens all logs. */
  logsOf: () => Promise<readonly { number: number; batches: Pick<BatchStore, 'lastConfirmed'> }[]>
  /** The fault of the projection or the sealing; null without one. */
  failure: () => string | null
}

/** How long a committed record may wait for its place in the log, which takes less than a second. */
const PLACING_PATIENCE_MS = 60 * 1000

/** Checks the path from record to proof. It never fails the service, because waiting records are safe. */
export async function checkAuditQueue(deps: CheckAuditQueueDeps, now: number): Promise<HealthCheck> {
  const ageOf = (at: number | null) => (at === null ? 0 : Math.max(0, now - at))
  const pending = await deps.records.pending()
  const pendingMs = ageOf(pending.oldestAt)
  let waiting = (await deps.records.size()) + pending.count
  let oldestMs = pendingMs
  const all = await deps.logsOf()
  const reading = { records: deps.records, logs: all.length > 1 ? deps.logs : null }
  for (const { number, batches } of all) {
    const index = (await batches.lastConfirmed())?.newSize ?? 0
    waiting -= index
    oldestMs = Math.max(oldestMs, ageOf(await readWaitingSince(reading, { log: number, index })))
  }
  const observed = {
    waiting: Math.max(0, waiting),
    oldestSeconds: Math.floor(oldestMs / 1000),
    pendingSeconds: Math.floor(pendingMs / 1000),
  }
  const failure = deps.failure()
  if (failure !== null) return { status: 'warn', detail: failure, observed }
  if (pendingMs > PLACING_PATIENCE_MS)
    return { status: 'warn', detail: 'committed records wait long for their place in the log', observed }
  if (oldestMs > PATIENCE_MS) return { status: 'warn', detail: 'records wait long for the chain', observed }
  return { status: 'pass', observed }
}
