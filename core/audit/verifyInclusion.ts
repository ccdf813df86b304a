import { isSameHash } from './isSameHash.ts'
import { nodeHash } from './nodeHash.ts'

type InclusionClaim = {
  readonly leafHash: Uint8Array
  readonly index: number
  readonly treeSize: number
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/**
 * Whether the proof shows that the leaf stands at `index` in the log of `treeSize` leaves with this root.
 *
 * Anything odd (an index beyond the log, a number that is not whole, a hash that is not 32 bytes, a proof too
 * short or too long) is false, never an exception: the claim comes from somebody else. The root alone does not
 * fix the size: trust a size only together with the root it was anchored with.
 *
 * Source: RFC 9162 §2.1.3.2.
 */
export function verifyInclusion({ leafHash, index, treeSize, proof, root }: InclusionClaim): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(treeSize)) return false
  if (index < 0 || index >= treeSize) return false
  if (![leafHash, root, ...proof].every((hash) => hash.length === 32)) return false

  let fn = index
  let sn = treeSize - 1
  let r = leafHash
  for (const p of proof) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      r = nodeHash(p, r)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      r = nodeHash(r, p)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && isSameHash(r, root)
}
