import { hashNode } from './merkleHash.ts'

/**
 * Where a complete subtree stands: `level` 0 are the leaves; `index` counts the subtrees of that level from the
 * left, so that (level, index) covers the leaves from index × 2^level to (index + 1) × 2^level − 1.
 *
 * Only complete subtrees have an address, so a node never changes once it is written.
 */
export type NodeAddress = { readonly level: number; readonly index: number }

/** A complete subtree with its hash of 32 bytes: one row of the store. */
export type MerkleNode = NodeAddress & { readonly hash: Uint8Array }

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
    hash = hashNode(left, hash)
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

/**
 * The complete subtrees that make up a log of `size` leaves, from left to right, the largest first.
 *
 * Their hashes are the `peaks` that `appendLeaves` continues from and `rootOfPeaks` joins: what a worker reads
 * after a restart.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function locatePeaks(size: number): NodeAddress[] {
  checkTreeSize(size)
  return subtreesOfRange(0, size)
}

/**
 * The complete subtrees that make up the leaves from `start` to `end` − 1, from left to right.
 *
 * `start` must be a multiple of the greatest power of two in the length, which holds for every subtree that
 * RFC 9162 names; there are then at most 53 of them, one for each bit of the length.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function subtreesOfRange(start: number, end: number): NodeAddress[] {
  const length = end - start
  const addresses: NodeAddress[] = []
  let level = 0
  let width = 1
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      // The bits below this one lie to the right of it: the subtree ends where they begin.
      const position = start + length - (length % (width * 2))
      addresses.unshift({ level, index: position / width })
    }
    level += 1
    width *= 2
  }
  return addresses
}

/**
 * Refuses a size or an index that is not a whole number a double holds exactly, 0 to 2^53 − 1.
 *
 * @throws Error: such a number comes from a programming fault, never from a caller's proof.
 */
export function checkTreeSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error(`${size} is not the size of a log`)
}
