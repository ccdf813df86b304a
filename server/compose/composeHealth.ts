import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { CheckHealthDeps } from '../services/health/checkHealth.ts'
import { createCommitCheck } from '../services/health/createCommitCheck.ts'
import { shareReading } from '../services/health/shareReading.ts'
import { PROBE, type Recorder } from '../store/recorder/recorder.ts'
import type { ComposedAudit } from './audit/composeAudit.ts'
import type { ChainPart } from './chain/composeChain.ts'
import type { ComposedDatabase } from './composeDatabase.ts'

export type ComposeHealthDeps = {
  probe: ComposedDatabase['probe']
  lookAtReplica: ComposedDatabase['lookAtReplica']
  recorder: Pick<Recorder, 'record' | 'failure' | 'isFailing'>
  chain: Pick<ChainPart, 'relayerStatus'>
  audit: Pick<ComposedAudit, 'check'> & { witnesses: Pick<ComposedAudit['witnesses'], 'check'> }
  version: string
  log: Pick<Logger, 'error'>
  /** Whether the process was told to stop. */
  isStopping: () => boolean
  /** Monotonic milliseconds; by default, those of this process. */
  clock?: () => number
}

/** How long what the database says of a part is reused, because anyone may ask for the health. */
export const REUSE_MS = 500

/**
 * Composes the health checks, each from the reports of its part. Calls share what they read; commits are checked more
 * promptly, by a check that limits itself.
 */
export function composeHealth({
  probe,
  lookAtReplica,
  recorder,
  chain,
  audit,
  version,
  log,
  isStopping,
  clock = () => performance.now(),
}: ComposeHealthDeps): CheckHealthDeps {
  const share = <Reading>(read: () => Promise<Reading>) => shareReading(read, REUSE_MS, clock)
  const relayerStatus = share(chain.relayerStatus)
  let fault: string | null = null
  const checkCommits = createCommitCheck({
    commit: () => recorder.record(PROBE),
    async read() {
      fault = await probe()
    },
    isFailing: recorder.isFailing,
    report: (err) => log.error({ err, part: 'database' }, 'commits fail'),
    clock,
  })
  const checks = {
    async database(): Promise<HealthCheck> {
      const failure = recorder.failure()
      if (failure !== null) return { status: 'fail', detail: failure }
      const found = await checkCommits()
      return found.status === 'pass' && fault !== null ? { status: 'warn', detail: fault } : found
    },
    async chain(): Promise<HealthCheck> {
      const { reachable, lastError } = await relayerStatus()
      return reachable
        ? { status: 'pass' }
        : { status: 'warn', detail: lastError ?? 'the chain does not answer' }
    },
    async relayer(): Promise<HealthCheck> {
      const { backlog, lastError, balanceLow, spareGwei } = await relayerStatus()
      const detail = balanceLow ? 'the relayer runs out of funds' : lastError
      return {
        status: detail === null ? 'pass' : 'warn',
        ...(detail ? { detail } : {}),
        observed: spareGwei === null ? { backlog } : { backlog, budgetSpareGwei: spareGwei },
      }
    },
    auditQueue: share(audit.check),
  }
  return {
    version,
    database: logTransitions('database', checks.database, log),
    chain: logTransitions('chain', checks.chain, log),
    relayer: logTransitions('relayer', checks.relayer, log),
    auditQueue: logTransitions('auditQueue', checks.auditQueue, log),
    replica:
      lookAtReplica &&
      logTransitions(
        'replica',
        share(() => checkReplica(lookAtReplica)),
        log,
      ),
    witnesses: audit.witnesses.check && logTransitions('witnesses', share(audit.witnesses.check), log),
    isStopping,
  }
}

async function checkReplica(look: NonNullable<ComposeHealthDeps['lookAtReplica']>): Promise<HealthCheck> {
  const { fault, behindBytes } = await look()
  return {
    status: fault === null ? 'pass' : 'warn',
    ...(fault === null ? {} : { detail: 'reads go to the primary database; the log has the cause' }),
    ...(behindBytes === null ? {} : { observed: { behindBytes } }),
  }
}

type Check = () => Promise<HealthCheck>

/** Logs the failure of a check once until it recovers, because it runs every few seconds. The response names no cause. */
function logTransitions(part: string, check: Check, log: ComposeHealthDeps['log']): Check {
  let isFailing = false
  return async () => {
    try {
      const found = await check()
      isFailing = false
      return found
    } catch (err) {
      if (!isFailing) log.error({ err, part }, 'a part of the service could not be looked at for its health')
      isFailing = true
      throw err
    }
  }
}
