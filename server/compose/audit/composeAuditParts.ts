import type { Config } from '../../config.ts'
import { apiError } from '../../errors.ts'
import type { KeyRing } from '../../external/keys/keyRing.ts'
import { createLogSigner } from '../../external/keys/logSigner.ts'
import { createAuditExportStore } from '../../store/audit/auditExportStore.ts'
import { createAuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import { createBatchStore } from '../../store/audit/batchStore.ts'
import { createLogStore } from '../../store/audit/logStore.ts'
import { openProofStore } from '../../store/audit/openProofStore.ts'
import { createWitnessStore } from '../../store/audit/witnessStore.ts'
import { type ReadFrom, readFrom } from '../../store/database/connections/readFrom.ts'
import type { Db } from '../../store/database/database.ts'

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
  /** Id of this installation's first audit log. */
  logId: () => Promise<string>
  /** Resolves once everything recorded so far is in the feed. */
  catchUp: () => Promise<number>
}

/** Composes the audit operations and the key that signs checkpoints. */
export function composeAuditParts(deps: ComposeAuditPartsDeps) {
  const { db, read, config, logId, catchUp } = deps
  const records = createAuditRecordStore(db.query)
  const logs = createLogStore(db.query)
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
  /** The parts of one log. */
  const openLog = (number: number) => {
    const anchors = { ...proofStore.log(number), catchUp, batchSeconds: config.audit.batchSeconds }
    return {
      ...{ ...anchors, ...checkpoints, anchors, checkpoints, number, exports },
      batches: createBatchStore(db.query, number),
      async logId(): Promise<string> {
        const id = number === 0 ? await logId() : await logs.idOf(number)
        if (id === null) throw apiError('NOT_FOUND')
        return id
      },
    }
  }
  return {
    parts: {
      ...{ records, catchUp, proofs, checkpoints },
      /** Opens the parts of a log. @throws ApiError NOT_FOUND. */
      async log(number: number) {
        if (number > 0 && number >= (await logs.count())) throw apiError('NOT_FOUND')
        return openLog(number)
      },
    },
    openLog,
    logs,
    close: proofStore.close,
  }
}

/** The parts of one audit log. */
export type AuditLogParts = ReturnType<ReturnType<typeof composeAuditParts>['openLog']>
