import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { Logger } from '../external/logger.ts'
import { createNoteSigner } from '../external/noteSigner.ts'
import { readLogPrivateKey } from '../external/readLogPrivateKey.ts'
import type { AuditServices } from '../services/audit/auditServices.ts'
import { checkAuditQueue } from '../services/audit/checkAuditQueue.ts'
import { exportRecords } from '../services/audit/exportRecords.ts'
import { listBatches } from '../services/audit/listBatches.ts'
import { proveConsistency } from '../services/audit/proveConsistency.ts'
import { readBatch } from '../services/audit/readBatch.ts'
import { readCheckpoint } from '../services/audit/readCheckpoint.ts'
import { readLogKey } from '../services/audit/readLogKey.ts'
import { readProof } from '../services/audit/readProof.ts'
import { readRecord } from '../services/audit/readRecord.ts'
import { readTlogProof } from '../services/audit/readTlogProof.ts'
import { type SealBatchDeps, sealBatch } from '../services/audit/sealBatch.ts'
import type { HealthCheck } from '../services/health/checkHealth.ts'
import { intentKey } from '../services/relayer/intents.ts'
import { createAuditExportStore } from '../store/auditExportStore.ts'
import { createAuditRecordStore } from '../store/auditRecordStore.ts'
import { createBatchStore } from '../store/batchStore.ts'
import type { Db } from '../store/database.ts'
import { openProofStore } from '../store/openProofStore.ts'
import { createOutboxStore } from '../store/outboxStore.ts'
import { createTreeStore } from '../store/treeStore.ts'
import { startProjectionWorker } from '../workers/projectionWorker.ts'
import { createSealingWorker } from '../workers/sealingWorker.ts'

export type ComposeAuditDeps = {
  db: Db
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseFile' | 'feedFile' | 'publicUrl' | 'audit'>
  clock: () => number
  log: Pick<Logger, 'warn' | 'error'>
  /** Id of this installation's audit log. */
  logId: () => Promise<string>
  /** Makes the relayer look at once at what was queued. */
  wakeRelayer: () => void
}

export type ComposedAudit = {
  services: AuditServices
  /** Resolves with the feed's size when everything committed before the call is in the feed. */
  catchUp(): Promise<number>
  /** Tells a listener how far the feed is, whenever that changes. */
  onFeedAdvanced(listener: (nextSeq: number) => void): void
  /** The `auditQueue` part of the health answer. */
  check(): Promise<HealthCheck>
  /** Starts to seal batches; the projection runs from the composition on. */
  start(): void
  stop(): Promise<void>
}

/**
 * Everything between a recorded outcome and the proof in an auditor's hand: the projection's thread, the sealing of
 * batches, and the audit operations.
 */
export function composeAudit(deps: ComposeAuditDeps): ComposedAudit {
  const { db, config, clock, log } = deps
  const { databaseUrl, databaseFile, feedFile, audit } = config
  const projection = startProjectionWorker({
    spawn: () =>
      new Worker(new URL('./projectionThread.ts', import.meta.url), {
        workerData: { databaseUrl, databaseFile, feedFile },
      }),
    log,
  })
  const outbox = createOutboxStore(db.query)
  const records = createAuditRecordStore(db.query)
  const batches = createBatchStore(db.query)
  const tree = createTreeStore(db.query)
  const { catchUp } = projection

  const worker = createSealingWorker({
    async seal() {
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
      if (sealed !== null) deps.wakeRelayer()
    },
    log,
  })

  const proofStore = openProofStore(config, db.query)
  const proofs = { ...proofStore, catchUp, batchSeconds: audit.batchSeconds }
  const signer = createNoteSigner(readLogPrivateKey(join(config.dataDir, 'audit-log-key.json')))
  const checkpoints = { signer, publicUrl: config.publicUrl }
  const exports = createAuditExportStore(db.query)
  return {
    services: {
      readRecord: (input) => readRecord({ ...proofs, records }, input),
      readProof: (input) => readProof(proofs, input),
      readTlogProof: (input) => readTlogProof({ proofs, checkpoints }, input),
      readCheckpoint: () => readCheckpoint({ anchors: proofs, checkpoints }),
      readLogKey: () => readLogKey({ ...checkpoints, logId: deps.logId }),
      proveConsistency: (input) => proveConsistency(proofs, input),
      listBatches: (input) => listBatches({ batches }, input),
      readBatch: (input) => readBatch({ batches }, input),
      exportRecords: (input) => exportRecords({ ...proofs, exports }, input),
    },
    catchUp,
    onFeedAdvanced: projection.onAdvanced,
    check: () =>
      checkAuditQueue({ records, batches, failure: () => projection.failure() ?? worker.failure() }, clock()),
    start: worker.start,
    async stop() {
      await worker.stop()
      await projection.stop()
      proofStore.close()
    },
  }
}
