import { hashNode } from './merkleHash.ts'

/**
 * The position of a complete subtree. `level` 0 is that of the leaves, and `index` counts the subtrees of a level from the
 * left, so (level, index) covers the leaves from index × 2^level to (index + 1) × 2^level − 1.
 *
 * Only complete subtrees have an address, so a stored node never changes.
 */
export type NodeAddress = { readonly level: number; readonly index: number }

/** A complete subtree with its hash of 32 bytes: one row in the store. */
export type MerkleNode = NodeAddress & { readonly hash: Uint8Array }

type Appended = {
  /** The complete subtrees of the larger log, from left to right. */
  readonly peaks: Uint8Array[]
  readonly size: number
  /** Every subtree that became complete, including the leaves, children before parents. */
  readonly nodes: MerkleNode[]
}

/**
 * Appends hashed leaves to the log of `size` leaves with these peaks.
 *
 * Only the peaks are needed, so the cost is about two hashes for each new leaf, whatever the size of the log. The nodes that
 * became complete are returned for storage; they never change again.
 *
 * @throws Error when a log of that size has another number of peaks.
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

/** Joins the leaf with each subtree of equal size to its left: one for every trailing one bit of its index. */
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
 * Locates the peaks of a log of `size` leaves: its complete subtrees, from left to right, the largest first.
 *
 * A worker reads their hashes after a restart, to continue with `appendLeaves` or to compute `rootOfPeaks`.
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
 * `start` must be a multiple of the largest power of two in the length, which is true of every range in RFC 9162. There are
 * then at most 53 subtrees, one for each bit of the length.
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
      // The lower bits are the subtrees to the right, so this one ends where they begin.
      const position = start + length - (length % (width * 2))
      addresses.unshift({ level, index: position / width })
    }
    level += 1
    width *= 2
  }
  return addresses
}

/**
 * Checks that a size or an index is a safe integer, 0 to 2^53 − 1.
 *
 * @throws Error otherwise, because that is a programming error; it never comes from a caller's proof.
 */
export function checkTreeSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new Error(`${size} is not the size of a log`)
}
