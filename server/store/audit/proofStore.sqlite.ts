import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import { openSqlite } from '../database/openSqlite.ts'
import type { AnchoredBatch } from './batchStore.ts'
import type { ProofStore } from './proofStore.ts'
import { nodePositionOf } from './treeStore.ts'

type Hex = `0x${string}`

/** The columns of a record that its proof reads. */
type ProvedRecord = { seq: number; entry: string }

/** Cache for pages of the feed: all proofs share the upper part of the tree. */
const CACHE_KIBIBYTES = 32_768

/**
 * Reads everything a proof needs with the driver directly: a proof is about twenty lookups by key, for which the query
 * builder takes longer than the database.
 *
 * It has its own read-only connection, and sees everything committed before the call.
 */
export function createSqliteProofStore(files: { databaseFile: string; feedFile: string }): ProofStore {
  const database = openSqlite(files.databaseFile, { readonly: true })
  database.prepare('ATTACH DATABASE ? AS feed').run(files.feedFile)
  database.pragma(`feed.cache_size = -${CACHE_KIBIBYTES}`)
  const record = database.prepare<[string], ProvedRecord>(
    `SELECT seq, entry FROM audit_records
     WHERE seq = (SELECT seq FROM feed.record_positions WHERE record_id = ?)`,
  )
  const batch = database.prepare<[], AnchoredBatch>(
    `SELECT number, new_size AS newSize, root, transaction_hash AS transactionHash, block_number AS blockNumber
     FROM audit_batches WHERE status = 'confirmed' ORDER BY number DESC LIMIT 1`,
  )
  const deployment = database.prepare<[], { chainId: number; auditLog: Hex; logId: Hex }>(
    `SELECT chain_id AS chainId, audit_log AS auditLog, log_id AS logId
     FROM chain_deployments ORDER BY created_at DESC LIMIT 1`,
  )
  // One statement for all nodes: separate statements would be separate transactions, which cost more than the lookups.
  const nodes = database.prepare<[string], { position: number; hash: Uint8Array }>(
    `SELECT position, hash FROM feed.tree_nodes WHERE position IN (SELECT value FROM json_each(?))`,
  )
  return {
    records: { byRecordId: async (recordId: string) => record.get(recordId) ?? null },
    batches: { lastConfirmed: async () => batch.get() ?? null },
    deployment: async () => deployment.get() ?? null,
    tree: {
      async nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> {
        const byPosition = new Map(addresses.map((address) => [nodePositionOf(address), address]))
        return nodes.all(JSON.stringify([...byPosition.keys()])).flatMap(({ position, hash }) => {
          const address = byPosition.get(position)
          return address === undefined ? [] : [{ ...address, hash }]
        })
      },
    },
    close: () => void database.close(),
  }
}
