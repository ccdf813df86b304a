import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { Config } from '../../config.ts'
import { createAddCheckpoint } from '../../external/outbound/witnessClient.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { forEachLog } from '../../services/audit/forEachLog.ts'
import { logOrigin } from '../../services/audit/readCheckpoint.ts'
import {
  checkWitnesses,
  readWitnessStates,
  type WitnessState,
} from '../../services/witnesses/checkWitnesses.ts'
import { submitCheckpoint } from '../../services/witnesses/submitCheckpoint.ts'
import { createWitnessStore } from '../../store/audit/witnessStore.ts'
import type { Db } from '../../store/database/database.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { waitWithGrace } from '../../workers/waitWithGrace.ts'
import type { AuditLogParts } from './composeAuditParts.ts'

export type ComposeWitnessesDeps = {
  db: Db
  config: Pick<Config, 'witnesses' | 'publicUrl' | 'allowPrivateNetwork'>
  clock: () => number
  log: Pick<Logger, 'warn' | 'error'>
  /** Opens all logs. */
  logsOf: () => Promise<readonly AuditLogParts[]>
}

export type ComposedWitnesses = {
  /** The `witnesses` part of the health check; null if none are configured. */
  check: (() => Promise<HealthCheck>) | null
  states(): Promise<WitnessState[]>
  start(): void
  stop(): Promise<void>
}

/** Interval of the check whether there is a new checkpoint. */
const LOOK_MS = 500

/** Composes the submission of checkpoints to witnesses, each in a loop of its own, so that a slow one delays no other. */
export function composeWitnesses(deps: ComposeWitnessesDeps): ComposedWitnesses {
  const { db, config, clock, log, logsOf } = deps
  const witnesses = createWitnessStore(db.query)
  const submission = {
    witnesses,
    addCheckpoint: createAddCheckpoint({ allowPrivate: config.allowPrivateNetwork }),
    transaction: db.transaction,
    random: Math.random,
    onFault: (witness: string, fault: string) =>
      log.warn({ witness }, `the witness ${witness} ${fault}; it is asked again`),
  }
  const workers = config.witnesses.map((witness) =>
    createRoundsWorker({
      failing: `the witness ${witness.id} cannot be asked`,
      pauseMs: LOOK_MS,
      async round() {
        return forEachLog(await logsOf(), ({ anchors: proofs, checkpoints }) =>
          submitCheckpoint({ ...submission, proofs, checkpoints }, { witness, now: clock() }),
        )
      },
      log,
    }),
  )
  const checking = {
    witnesses,
    ids: config.witnesses.map(({ id }) => id),
    logsOf: async () =>
      (await logsOf()).map(({ batches, logId }) => ({
        batches,
        origin: async () => logOrigin(config.publicUrl, await logId()),
      })),
  }
  return {
    check: workers.length === 0 ? null : () => checkWitnesses(checking, clock()),
    states: () => readWitnessStates(checking),
    start() {
      for (const worker of workers) worker.start()
    },
    stop: () => waitWithGrace(Promise.all(workers.map(({ stop }) => stop())).then(() => undefined)),
  }
}
