import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import { openSqlite } from '../database/openSqlite.ts'
import { type AnchoredBatch, batchKeyOf, batchKeysOf } from './batchStore.ts'
import type { ProofStore, ProvedRecord } from './proofStore.ts'
import { nodePositionOf } from './treeStore.ts'

type Hex = `0x${string}`

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
    `SELECT entry, COALESCE(log, 0) AS log, COALESCE(place, record.seq) AS "index"
     FROM audit_records AS record LEFT JOIN feed.log_places AS place ON place.seq = record.seq
     WHERE record.seq = (SELECT seq FROM feed.record_positions WHERE record_id = ?)`,
  )
  const batch = database.prepare<[number, number], AnchoredBatch>(
    `SELECT number, new_size AS newSize, root, transaction_hash AS transactionHash, block_number AS blockNumber
     FROM audit_batches WHERE status = 'confirmed' AND number BETWEEN ? AND ? ORDER BY number DESC LIMIT 1`,
  )
  const deployment = database.prepare<[], { chainId: number; auditLog: Hex; logId: Hex }>(
    `SELECT chain_id AS chainId, audit_log AS auditLog, log_id AS logId
     FROM chain_deployments ORDER BY created_at DESC LIMIT 1`,
  )
  const logId = database.prepare<[number], { logId: Hex }>(
    'SELECT log_id AS logId FROM audit_logs WHERE number = ?',
  )
  // One statement for all nodes: separate statements would be separate transactions, which cost more than the lookups.
  const nodes = database.prepare<[string], { position: number; hash: Uint8Array }>(
    `SELECT position, hash FROM feed.tree_nodes WHERE position IN (SELECT value FROM json_each(?))`,
  )
  return {
    records: { byRecordId: async (recordId: string) => record.get(recordId) ?? null },
    log: (number) => ({
      batches: {
        async lastConfirmed() {
          const found = batch.get(...batchKeysOf(number))
          return found === undefined ? null : { ...found, number: found.number - batchKeyOf(number, 0) }
        },
      },
      async deployment() {
        const found = deployment.get()
        if (found === undefined || number === 0) return found ?? null
        const log = logId.get(number)
        return log === undefined ? null : { ...found, ...log }
      },
      tree: {
        async nodes(addresses: readonly NodeAddress[]): Promise<MerkleNode[]> {
          const byPosition = new Map(addresses.map((address) => [nodePositionOf(address, number), address]))
          return nodes.all(JSON.stringify([...byPosition.keys()])).flatMap(({ position, hash }) => {
            const address = byPosition.get(position)
            return address === undefined ? [] : [{ ...address, hash }]
          })
        },
      },
    }),
    close: () => void database.close(),
  }
}
