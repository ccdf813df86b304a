import type { ResultOf } from '@svc/core/contract/operations.ts'
import type { HealthCheck } from '@svc/core/contract/service.ts'
import { settleWithin } from './settleWithin.ts'

/** The status of a part of the service: `warn` still serves, `fail` does not. */
type CheckStatus = 'pass' | 'warn' | 'fail'

export type HealthReport = ResultOf<'GET /api/health'>

export type CheckHealthDeps = {
  version: string
  database: () => Promise<HealthCheck>
  chain: () => Promise<HealthCheck>
  relayer: () => Promise<HealthCheck>
  auditQueue: () => Promise<HealthCheck>
  /** Null if there is none. */
  replica: (() => Promise<HealthCheck>) | null
  /** Null if there are none. */
  witnesses: (() => Promise<HealthCheck>) | null
  /** Whether the process was told to stop and serves only until balancers have noticed. */
  isStopping: () => boolean
}

/** How long a check may take: the health is answered within a second, whatever it waits for. */
const WAIT_MS = 600

const STOPPING: HealthCheck = { status: 'fail', detail: 'the process is stopping' }
const LATE: HealthCheck = { status: 'warn', detail: 'the check takes longer than usual' }

/**
 * Checks all parts in parallel; the worst one is the status of the service.
 *
 * Only the database and a stop can fail the service: without the chain it still responds, and records wait.
 */
export async function checkHealth(deps: CheckHealthDeps, input: { now: number }): Promise<HealthReport> {
  const [database, chain, relayer, auditQueue, replica, witnesses] = await Promise.all([
    settleCheck(deps.database, 'fail'),
    settleCheck(deps.chain, 'warn'),
    settleCheck(deps.relayer, 'warn'),
    settleCheck(deps.auditQueue, 'warn'),
    deps.replica === null ? null : settleCheck(deps.replica, 'warn'),
    deps.witnesses === null ? null : settleCheck(deps.witnesses, 'warn'),
  ])
  const stopping = deps.isStopping() ? STOPPING : null
  const all = [database, chain, relayer, auditQueue, replica, witnesses, stopping]
  const statuses = all.map((check) => check?.status)
  const status = statuses.includes('fail') ? 'fail' : statuses.includes('warn') ? 'warn' : 'pass'
  return {
    status,
    version: deps.version,
    time: new Date(input.now).toISOString(),
    checks: {
      ...{ database, chain, relayer, auditQueue },
      ...(replica === null ? {} : { replica }),
      ...(witnesses === null ? {} : { witnesses }),
      ...(stopping === null ? {} : { process: stopping }),
    },
  }
}

async function settleCheck(check: () => Promise<HealthCheck>, whenThrown: CheckStatus): Promise<HealthCheck> {
  try {
    return await settleWithin(check(), WAIT_MS, LATE)
  } catch {
    return { status: whenThrown, detail: 'the check itself failed; the log has the cause' }
  }
}
