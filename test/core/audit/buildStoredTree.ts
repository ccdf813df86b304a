import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, type MerkleNode, type NodeAddress } from '@svc/core/audit/merkleTree.ts'

const BATCH_SIZE = 1_024

/** The leaf hash of the entry "entry <index>". */
export function leafAt(index: number): Uint8Array {
  return hashLeaf(`entry ${index}`)
}

/**
 * A log of `size` leaves and its nodes as stored in the database, sealed batch by batch; `read` throws for a missing
 * node.
 */
export function buildStoredTree(size: number, leaf: (index: number) => Uint8Array = leafAt) {
  const levels: Uint8Array[] = []
  for (let width = 1; width <= size; width *= 2) levels.push(new Uint8Array(Math.floor(size / width) * 32))
  const isWritten = levels.map((level) => new Uint8Array(level.length / 32))

  let log = appendLeaves([], 0, [])
  while (log.size < size) {
    const length = Math.min(BATCH_SIZE, size - log.size)
    const first = log.size
    log = appendLeaves(
      log.peaks,
      first,
      Array.from({ length }, (_, i) => leaf(first + i)),
    )
    for (const { level, index, hash } of log.nodes) {
      levels[level]?.set(hash, index * 32)
      const row = isWritten[level]
      if (row !== undefined) row[index] = 1
    }
  }

  const read = (addresses: readonly NodeAddress[]): MerkleNode[] =>
    addresses.map(({ level, index }) => {
      const hash = levels[level]?.slice(index * 32, index * 32 + 32)
      if (hash === undefined || isWritten[level]?.[index] !== 1) {
        throw new Error(`node ${index} of level ${level} is not complete yet`)
      }
      return { level, index, hash }
    })
  return { peaks: log.peaks, read }
}
