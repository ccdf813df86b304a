/**
 * Where a complete subtree stands: `level` 0 are the leaves; `index` counts the subtrees of that level from the
 * left, so that (level, index) covers the leaves from index × 2^level to (index + 1) × 2^level − 1.
 *
 * Only complete subtrees have an address, so a node never changes once it is written.
 */
export type NodeAddress = { readonly level: number; readonly index: number }

/** A complete subtree with its hash of 32 bytes: one row of the store. */
export type MerkleNode = NodeAddress & { readonly hash: Uint8Array }
