import { checkHealth, type HealthCheck } from '../services/health/checkHealth.ts'
import type { Db } from '../store/database.ts'
import type { Recorder } from '../store/recorder.ts'
import type { ComposedAudit } from './composeAudit.ts'
import type { ChainPart } from './composeChain.ts'

export type ComposeHealthDeps = {
  db: Db
  recorder: Recorder
  chain: ChainPart
  audit: ComposedAudit
  version: string
}

/** Binds the health operation to what each part says of itself. */
export function composeHealth({ db, recorder, chain, audit, version }: ComposeHealthDeps) {
  const deps = {
    version,
    async database(): Promise<HealthCheck> {
      const failure = recorder.failure()
      if (failure !== null) return { status: 'fail', detail: failure }
      await db.query.raw('SELECT 1')
      return { status: 'pass' }
    },
    async chain(): Promise<HealthCheck> {
      const { reachable, lastError } = await chain.relayerStatus()
      return reachable
        ? { status: 'pass' }
        : { status: 'warn', detail: lastError ?? 'the chain does not answer' }
    },
    async relayer(): Promise<HealthCheck> {
      const { backlog, lastError, balanceLow, spareGwei } = await chain.relayerStatus()
      const detail = balanceLow ? 'the relayer runs out of funds' : lastError
      return {
        status: detail === null ? 'pass' : 'warn',
        ...(detail ? { detail } : {}),
        observed: spareGwei === null ? { backlog } : { backlog, budgetSpareGwei: spareGwei },
      }
    },
    auditQueue: audit.check,
  }
  return (input: { now: number }) => checkHealth(deps, input)
}
