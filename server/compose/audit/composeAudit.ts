import { Worker } from 'node:worker_threads'
import type { HealthCheck } from '@svc/core/contract/service.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { checkAuditQueue } from '../../services/audit/checkAuditQueue.ts'
import { configureLogs } from '../../services/audit/configureLogs.ts'
import { forEachLog } from '../../services/audit/forEachLog.ts'
import { type ReadTimeDeps, readTime, readWaitingSince } from '../../services/audit/readTime.ts'
import { sealBatch } from '../../services/audit/sealBatch.ts'
import { intentKey } from '../../services/relayer/intents.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { SealedBatch } from '../../store/audit/batchStore.ts'
import { createTreeStore } from '../../store/audit/treeStore.ts'
import type { Db } from '../../store/database/database.ts'
import { chooseFeatures } from '../../store/database/databaseFeatures.ts'
import { createOutboxStore } from '../../store/relayer/outboxStore.ts'
import { startProjectionWorker } from '../../workers/projectionWorker.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import { type AuditLogParts, type ComposeAuditPartsDeps, composeAuditParts } from './composeAuditParts.ts'
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
  /** Id of this installation's first audit log. */
  logId: () => Promise<string>
  /** Draws the id of another log, which the relayer may open. */
  drawLogId: () => `0x${string}`
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
        new Worker(new URL('../projectionThread.ts', import.meta.url), {
          workerData: { databaseUrl, databaseFeatures, databaseFile, feedFile },
        })),
    log,
  })
  const outbox = createOutboxStore(db.query)
  const records = createAuditRecordStore(db.query)
  const { catchUp } = projection
  const { parts, openLog, logs, close } = composeAuditParts({ ...deps, catchUp })
  const logsOf = async () => Array.from({ length: await logs.count() }, (_, number) => openLog(number))

  const worker = createRoundsWorker({
    failing: 'no batch can be sealed',
    pauseMs: LOOK_MS,
    breathMs: SEALED_REST_MS,
    async round() {
      await configure()
      const all = await logsOf()
      const reading = { records, logs: all.length > 1 ? logs : null }
      const sealed = await forEachLog(all, async (part) => ((await seal(part, reading)) === null ? 0 : 1))
      if (sealed > 0) deps.wakeRelayer()
      return sealed
    },
    log,
  })

  let isConfigured = false
  /** Once, and in a round, because the database may be busy when the service starts. */
  async function configure(): Promise<void> {
    if (isConfigured) return
    const { transaction } = db
    const { locks } = chooseFeatures(databaseFeatures)
    const given = { logs, outbox, transaction, locks, drawLogId: deps.drawLogId }
    if (await configureLogs(given, { number: audit.logs, now: clock() })) deps.wakeRelayer()
    isConfigured = true
  }

  async function seal(
    { number, batches, logId }: AuditLogParts,
    reading: ReadTimeDeps,
  ): Promise<SealedBatch | null> {
    const id = await logId()
    const tree = createTreeStore(db.query, number)
    return sealBatch(
      {
        ...{ tree, batches, transaction: db.transaction, limits: audit },
        waitingSince: (index) => readWaitingSince(reading, { log: number, index }),
        hasRecord: async (index) => (await readTime(reading, { log: number, index })) !== null,
        async catchUp() {
          await catchUp()
          return tree.size()
        },
        anchor(trx, batch, now) {
          const payload = { batch, log: number }
          return outbox.add(trx, {
            ...{ idempotencyKey: intentKey.anchor(id, batch), kind: 'audit.anchor', payload, now },
          })
        },
      },
      clock(),
    )
  }

  const witnesses = composeWitnesses({ db, config, clock, log, logsOf })
  return {
    parts,
    catchUp,
    onFeedAdvanced: projection.onAdvanced,
    check: () =>
      checkAuditQueue(
        { records, logs, logsOf, failure: () => projection.failure() ?? worker.failure() },
        clock(),
      ),
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
