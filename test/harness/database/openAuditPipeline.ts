import { readTime } from '../../../server/services/audit/readTime.ts'
import { projectChunk } from '../../../server/services/projection/projectChunk.ts'
import { createAnchorStore } from '../../../server/store/audit/anchorStore.ts'
import { createAuditExportStore } from '../../../server/store/audit/auditExportStore.ts'
import { createBatchStore } from '../../../server/store/audit/batchStore.ts'
import { createLogStore } from '../../../server/store/audit/logStore.ts'
import { createTreeStore } from '../../../server/store/audit/treeStore.ts'
import { createSqliteProjectionStore } from '../../../server/store/feed/projectionStore.sqlite.ts'
import { createDeploymentStore, type Deployment } from '../../../server/store/relayer/deploymentStore.ts'
import { createOutboxStore } from '../../../server/store/relayer/outboxStore.ts'
import { openAuditDatabase } from './openAuditDatabase.ts'

const hex = (byte: string, length: number): `0x${string}` => `0x${byte.repeat(length)}`

export const DEPLOYMENT: Deployment = {
  chainId: 31337,
  genesisHash: hex('11', 32),
  identityRegistry: hex('22', 20),
  auditLog: hex('33', 20),
  reputationRegistry: hex('66', 20),
  validationRegistry: hex('77', 20),
  /** Begins with the first account of the local chain, which may open it. */
  logId: `0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266${'44'.repeat(12)}`,
  deployedBlock: 1,
  nextNonce: 0,
}

export type AuditPipeline = Awaited<ReturnType<typeof openAuditPipeline>>

/** Opens the stores and the projection of the audit log over a real database, without threads, timers or a chain. */
export async function openAuditPipeline() {
  const database = await openAuditDatabase()
  const { db } = database
  const projection = createSqliteProjectionStore(database.files)
  const anchors = createAnchorStore(db.query)
  const outbox = createOutboxStore(db.query)
  const { records } = database
  const logs = createLogStore(db.query)
  const log = {
    batches: createBatchStore(db.query),
    tree: createTreeStore(db.query),
    deployment: createDeploymentStore(db.query).remembered,
  }
  return {
    ...database,
    ...log,
    projection,
    logs,
    /** The first log, as far as it concerns proofs. */
    log: () => log,
    number: 0,
    records: {
      ...records,
      async byRecordId(recordId: string) {
        const record = await records.byRecordId(recordId)
        return record === null ? null : { ...record, log: 0, index: Number(record.seq) }
      },
    },
    waitingSince: (index: number) => readTime({ records, logs }, { log: 0, index }),
    hasRecord: async (index: number) => (await records.bySeq(index)) !== null,
    exports: createAuditExportStore(db.query),
    outbox,
    transaction: db.transaction,
    async catchUp() {
      let size = projectChunk(projection)
      while (size < projection.logSize()) size = projectChunk(projection)
      return size
    },
    anchor: (trx: Parameters<typeof outbox.add>[0], batch: number, now: number) =>
      outbox.add(trx, { idempotencyKey: `anchor:${batch}`, kind: 'audit.anchor', payload: { batch }, now }),
    /** Marks a batch as anchored on chain, as the relayer would. */
    mine: (batch: number) =>
      db.transaction((trx) => anchors.markAnchored(trx, batch, { hash: hex('55', 32), block: 10 + batch })),
    confirm: (batch: number) =>
      db.transaction(async (trx) => {
        await createDeploymentStore(db.query).save(trx, DEPLOYMENT, 0)
        const confirmation = { hash: hex('55', 32), block: 10 + batch, confirmedAt: batch }
        await anchors.markConfirmed(trx, batch, confirmation)
      }),
    async close() {
      projection.close()
      await database.close()
    },
  }
}
