import type { Config } from '../config.ts'
import type { KeyRing } from '../external/keyRing.ts'
import { createLogSigner } from '../external/logSigner.ts'
import { createAuditExportStore } from '../store/audit/auditExportStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createBatchStore } from '../store/audit/batchStore.ts'
import { openProofStore } from '../store/audit/openProofStore.ts'
import { createWitnessStore } from '../store/audit/witnessStore.ts'
import type { Db } from '../store/database/database.ts'
import { type ReadFrom, readFrom } from '../store/database/readFrom.ts'

export type ComposeAuditPartsDeps = {
  db: Db
  /** Reads exported records, from a replica if there is one. */
  read: ReadFrom
  config: Pick<
    Config,
    'databaseUrl' | 'databaseFeatures' | 'databaseFile' | 'feedFile' | 'publicUrl' | 'audit' | 'witnesses'
  >
  /** Sign checkpoints. */
  checkpointKeys: KeyRing
  clock: () => number
  /** Id of this installation's audit log. */
  logId: () => Promise<string>
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/** Composes the audit operations and the key that signs checkpoints. */
export function composeAuditParts(deps: ComposeAuditPartsDeps) {
  const { db, read, config, logId, catchUp } = deps
  const records = createAuditRecordStore(db.query)
  const batches = createBatchStore(db.query)
  const exports = readFrom(read, createAuditExportStore, ['ofParties'])
  const proofStore = openProofStore(config, db.query)
  const proofs = { ...proofStore, catchUp, batchSeconds: config.audit.batchSeconds }
  const signer = createLogSigner(deps.checkpointKeys, deps.clock)
  const witnesses = createWitnessStore(db.query)
  const witnessIds = config.witnesses.map(({ id }) => id)
  const checkpoints = {
    signer,
    publicUrl: config.publicUrl,
    cosignatures: (text: string) => witnesses.cosignatures(text, witnessIds),
  }
  return {
    parts: {
      ...proofs,
      ...checkpoints,
      records,
      batches,
      exports,
      proofs,
      anchors: proofs,
      checkpoints,
      logId,
    },
    close: proofStore.close,
  }
}
