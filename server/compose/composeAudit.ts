import { Worker } from 'node:worker_threads'
import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../external/logger.ts'
import { checkAuditQueue } from '../services/audit/checkAuditQueue.ts'
import { type SealBatchDeps, sealBatch } from '../services/audit/sealBatch.ts'
import { intentKey } from '../services/relayer/intents.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createBatchStore } from '../store/audit/batchStore.ts'
import { createTreeStore } from '../store/audit/treeStore.ts'
import type { Db } from '../store/database/database.ts'
import { createOutboxStore } from '../store/relayer/outboxStore.ts'
import { startProjectionWorker } from '../workers/projectionWorker.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import { type ComposeAuditPartsDeps, composeAuditParts } from './composeAuditParts.ts'
import { type ComposedWitnesses, composeWitnesses } from './composeWitnesses.ts'

/** Interval of the check whether a batch is due. */
const LOOK_MS = 250
/**
 * Pause after a batch: under load one fills within a fraction of a second, and more batches would mean more work, here and
 * on chain, for the same records.
 */
const SEALED_REST_MS = 1_000

export type ComposeAuditDeps = {
  db: Db
  read: ComposeAuditPartsDeps['read']
  config: ComposeAuditPartsDeps['config'] & Pick<Config, 'allowPrivateNetwork'>
  checkpointKeys: ComposeAuditPartsDeps['checkpointKeys']
  clock: () => number
  log: Pick<Logger, 'warn' | 'error'>
  /** Id of this installation's audit log. */
  logId: () => Promise<string>
  /** Wakes the relayer to process what was queued. */
  wakeRelayer: () => void
  /** Starts the projection's thread; by default, ours. */
  spawnProjection?: () => Worker
}

export type ComposedAudit = {
  parts: ReturnType<typeof composeAuditParts>['parts']
  /** Resolves with the feed's size once everything committed before the call is in the feed. */
  catchUp(): Promise<number>
  /** Calls a listener with the position of the feed whenever it changes. */
  onFeedAdvanced(listener: (nextSeq: number) => void): void
  /** The `auditQueue` part of the health check. */
  check(): Promise<HealthCheck>
  witnesses: Pick<ComposedWitnesses, 'check' | 'states'>
  /** Starts sealing batches; the projection runs from composition on. */
  start(): void
  stop(): Promise<void>
}

/**
 * Composes everything from a recorded outcome to its proof: the projection, the sealing of batches and the audit
 * operations.
 */
export function composeAudit(deps: ComposeAuditDeps): ComposedAudit {
  const { db, config, clock, log } = deps
  const { databaseUrl, databaseFeatures, databaseFile, feedFile, audit } = config
  const projection = startProjectionWorker({
    spawn:
      deps.spawnProjection ??
      (() =>
        new Worker(new URL('./projectionThread.ts', import.meta.url), {
          workerData: { databaseUrl, databaseFeatures, databaseFile, feedFile },
        })),
    log,
  })
  const outbox = createOutboxStore(db.query)
  const records = createAuditRecordStore(db.query)
  const batches = createBatchStore(db.query)
  const tree = createTreeStore(db.query)
  const { catchUp } = projection

  const worker = createRoundsWorker({
    failing: 'no batch can be sealed',
    pauseMs: LOOK_MS,
    breathMs: SEALED_REST_MS,
    async round() {
      const logId = await deps.logId()
      const anchor: SealBatchDeps['anchor'] = (trx, batch, now) => {
        const idempotencyKey = intentKey.anchor(logId, batch)
        return outbox.add(trx, { idempotencyKey, kind: 'audit.anchor', payload: { batch }, now })
      }
      const { transaction } = db
      const sealed = await sealBatch(
        { records, tree, batches, transaction, catchUp, anchor, limits: audit },
        clock(),
      )
      if (sealed === null) return 0
      deps.wakeRelayer()
      return 1
    },
    log,
  })

  const { parts, close } = composeAuditParts({ ...deps, catchUp })
  const witnesses = composeWitnesses({ db, config, clock, log, logId: deps.logId, parts })
  return {
    parts,
    catchUp,
    onFeedAdvanced: projection.onAdvanced,
    check: () =>
      checkAuditQueue({ records, batches, failure: () => projection.failure() ?? worker.failure() }, clock()),
    witnesses,
    start() {
      worker.start()
      witnesses.start()
    },
    async stop() {
      // First, because the round to wait for may itself wait for the feed.
      projection.refuseWaiting()
      await Promise.all([worker.stop(), witnesses.stop()])
      await projection.stop()
      close()
    },
  }
}
