import type { Knex } from 'knex'
import { createDeploymentStore } from '../relayer/deploymentStore.ts'
import { createAuditRecordStore } from './auditRecordStore.ts'
import { createBatchStore } from './batchStore.ts'
import { createLogStore } from './logStore.ts'
import { createSqliteProofStore } from './proofStore.sqlite.ts'
import type { ProofStore } from './proofStore.ts'
import { createTreeStore } from './treeStore.ts'

/** Opens the store that proofs read: SQLite with the driver directly, PostgreSQL with the portable stores. */
export function openProofStore(
  config: { databaseUrl?: string | undefined; databaseFile: string; feedFile: string },
  query: Knex,
): ProofStore {
  if (config.databaseUrl === undefined) return createSqliteProofStore(config)
  const records = createAuditRecordStore(query)
  const logs = createLogStore(query)
  const { remembered } = createDeploymentStore(query)
  return {
    records: {
      async byRecordId(recordId) {
        const record = await records.byRecordId(recordId)
        if (record === null) return null
        const seq = Number(record.seq)
        const place = (await logs.placesOf([seq])).get(seq)
        return { entry: record.entry, log: 0, index: seq, ...place }
      },
    },
    log: (number) => ({
      batches: createBatchStore(query, number),
      tree: createTreeStore(query, number),
      async deployment() {
        const found = await remembered()
        if (found === null || number === 0) return found
        const logId = await logs.idOf(number)
        return logId === null ? null : { ...found, logId }
      },
    }),
    close: () => undefined,
  }
}
