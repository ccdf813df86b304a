import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createNoteSigner } from '../external/noteSigner.ts'
import { readEd25519Key } from '../external/readEd25519Key.ts'
import { createAuditExportStore } from '../store/audit/auditExportStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { createBatchStore } from '../store/audit/batchStore.ts'
import { openProofStore } from '../store/audit/openProofStore.ts'
import { createWitnessStore } from '../store/audit/witnessStore.ts'
import type { Db } from '../store/database/database.ts'

export type ComposeAuditPartsDeps = {
  db: Db
  config: Pick<
    Config,
    'dataDir' | 'databaseUrl' | 'databaseFile' | 'feedFile' | 'publicUrl' | 'audit' | 'witnesses'
  >
  /** Id of this installation's audit log. */
  logId: () => Promise<string>
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/** Composes the audit operations and the key that signs checkpoints. */
export function composeAuditParts(deps: ComposeAuditPartsDeps) {
  const { db, config, logId, catchUp } = deps
  const records = createAuditRecordStore(db.query)
  const batches = createBatchStore(db.query)
  const exports = createAuditExportStore(db.query)
  const proofStore = openProofStore(config, db.query)
  const proofs = { ...proofStore, catchUp, batchSeconds: config.audit.batchSeconds }
  const signer = createNoteSigner(readEd25519Key(join(config.dataDir, 'audit-log-key.json')))
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
