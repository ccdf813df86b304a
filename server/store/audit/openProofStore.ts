import type { Knex } from 'knex'
import { createDeploymentStore } from '../relayer/deploymentStore.ts'
import { createAuditRecordStore } from './auditRecordStore.ts'
import { createBatchStore } from './batchStore.ts'
import { createSqliteProofStore } from './proofStore.sqlite.ts'
import type { ProofStore } from './proofStore.ts'
import { createTreeStore } from './treeStore.ts'

/** Opens the store that proofs read: SQLite with the driver directly, PostgreSQL with the portable stores. */
export function openProofStore(
  config: { databaseUrl?: string | undefined; databaseFile: string; feedFile: string },
  query: Knex,
): ProofStore {
  if (config.databaseUrl === undefined) return createSqliteProofStore(config)
  return {
    records: createAuditRecordStore(query),
    batches: createBatchStore(query),
    tree: createTreeStore(query),
    deployment: createDeploymentStore(query).remembered,
    close: () => undefined,
  }
}
