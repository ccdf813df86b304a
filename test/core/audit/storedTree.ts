import { appendLeaves } from '@svc/core/audit/appendLeaves.ts'
import { leafHash } from '@svc/core/audit/leafHash.ts'
import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleNode.ts'

/** The leaf hashes of entries "entry 0", "entry 1", … */
export function leavesOf(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => leafHash(`entry ${i}`))
}

/** A store of nodes as the database holds them, filled by `appendLeaves` in one go; `read` fails on a hole. */
export function storedTree(leaves: readonly Uint8Array[]) {
  const { nodes } = appendLeaves([], 0, leaves)
  const levels: MerkleNode[][] = []
  for (const node of nodes) {
    const level = levels[node.level] ?? []
    levels[node.level] = level
    level[node.index] = node
  }
  const read = (addresses: readonly NodeAddress[]): MerkleNode[] =>
    addresses.map(({ level, index }) => {
      const node = levels[level]?.[index]
      if (node === undefined) throw new Error(`node ${index} of level ${level} is not complete yet`)
      return node
    })
  return { nodes, read }
}
