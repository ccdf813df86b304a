import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createNoteSigner } from '../external/noteSigner.ts'
import { readLogPrivateKey } from '../external/readLogPrivateKey.ts'
import type { AuditServices } from '../services/audit/auditServices.ts'
import { exportRecords } from '../services/audit/exportRecords.ts'
import { listBatches } from '../services/audit/listBatches.ts'
import { proveConsistency } from '../services/audit/proveConsistency.ts'
import { readBatch } from '../services/audit/readBatch.ts'
import { readCheckpoint } from '../services/audit/readCheckpoint.ts'
import { readLogKey } from '../services/audit/readLogKey.ts'
import { readProof } from '../services/audit/readProof.ts'
import { readRecord } from '../services/audit/readRecord.ts'
import { readTlogProof } from '../services/audit/readTlogProof.ts'
import { createAuditExportStore } from '../store/audit/auditExportStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createBatchStore } from '../store/audit/batchStore.ts'
import { openProofStore } from '../store/audit/openProofStore.ts'
import type { Db } from '../store/database/database.ts'

export type ComposeAuditServicesDeps = {
  db: Db
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseFile' | 'feedFile' | 'publicUrl' | 'audit'>
  /** Id of this installation's audit log. */
  logId: () => Promise<string>
  /** Resolves when everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/** The audit operations over what is stored, and the key that checkpoints are signed with. */
export function composeAuditServices(deps: ComposeAuditServicesDeps): {
  services: AuditServices
  close(): void
} {
  const { db, config, logId, catchUp } = deps
  const records = createAuditRecordStore(db.query)
  const batches = createBatchStore(db.query)
  const exports = createAuditExportStore(db.query)
  const proofStore = openProofStore(config, db.query)
  const proofs = { ...proofStore, catchUp, batchSeconds: config.audit.batchSeconds }
  const signer = createNoteSigner(readLogPrivateKey(join(config.dataDir, 'audit-log-key.json')))
  const checkpoints = { signer, publicUrl: config.publicUrl }
  return {
    services: {
      readRecord: (input) => readRecord({ ...proofs, records }, input),
      readProof: (input) => readProof(proofs, input),
      readTlogProof: (input) => readTlogProof({ proofs, checkpoints }, input),
      readCheckpoint: () => readCheckpoint({ anchors: proofs, checkpoints }),
      readLogKey: () => readLogKey({ ...checkpoints, logId }),
      proveConsistency: (input) => proveConsistency(proofs, input),
      listBatches: (input) => listBatches({ batches }, input),
      readBatch: (input) => readBatch({ batches }, input),
      exportRecords: (input) => exportRecords({ ...proofs, exports }, input),
    },
    close: proofStore.close,
  }
}
