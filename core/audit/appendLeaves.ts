import { checkTreeSize } from './checkTreeSize.ts'
import type { MerkleNode } from './merkleNode.ts'
import { nodeHash } from './nodeHash.ts'

type Appended = {
  /** The complete subtrees of the larger log, from left to right. */
  readonly peaks: Uint8Array[]
  readonly size: number
  /** Every subtree that became complete, leaves included, children before their parents. */
  readonly nodes: MerkleNode[]
}

/**
 * The log of `size` leaves with these peaks, extended by leaves already hashed.
 *
 * It needs only the peaks, so its cost is that of the new leaves, about two hashes each, at any size of the log.
 * The nodes that become complete are answered for storage: none of them ever changes again.
 *
 * @throws Error when `peaks` cannot be those of a log of that size.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function appendLeaves(
  peaks: readonly Uint8Array[],
  size: number,
  leafHashes: readonly Uint8Array[],
): Appended {
  const newSize = size + leafHashes.length
  checkTreeSize(size)
  checkTreeSize(newSize)
  const wanted = onesOf(size)
  if (peaks.length !== wanted)
    throw new Error(`a log of ${size} leaves has ${wanted} peaks, not ${peaks.length}`)

  const stack = [...peaks]
  const nodes: MerkleNode[] = []
  for (let i = 0; i < leafHashes.length; i++) {
    const leaf = leafHashes[i]
    if (leaf?.length !== 32) throw new Error(`leaf ${size + i} is not a hash of 32 bytes`)
    addLeaf(stack, nodes, size + i, leaf)
  }
  return { peaks: stack, size: newSize, nodes }
}

/** Joins the new leaf with each subtree of equal size to its left: as many as its index has trailing one bits. */
function addLeaf(stack: Uint8Array[], nodes: MerkleNode[], leafIndex: number, leaf: Uint8Array): void {
  let hash = leaf
  let index = leafIndex
  let level = 0
  nodes.push({ level, index, hash })
  while (index % 2 === 1) {
    const left = stack.pop()
    if (left === undefined) throw new Error(`no subtree to the left of leaf ${leafIndex}`)
    hash = nodeHash(left, hash)
    index = (index - 1) / 2
    level += 1
    nodes.push({ level, index, hash })
  }
  stack.push(hash)
}

function onesOf(size: number): number {
  let ones = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}
