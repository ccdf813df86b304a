import { sha256 } from '../hash.ts'
import { hashNode, isSameHash } from './merkleHash.ts'

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
      r = hashNode(p, r)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      r = hashNode(r, p)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && isSameHash(r, root)
}

type ConsistencyClaim = {
  readonly fromSize: number
  readonly toSize: number
  readonly fromRoot: Uint8Array
  readonly toRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/**
 * Whether the proof shows that the log with root `fromRoot` is the beginning of the one with root `toRoot`.
 *
 * Two edges the RFC leaves to its reader: equal sizes need equal roots and an empty proof; the empty log, whose
 * root is SHA-256 of nothing, is the beginning of every log, with an empty proof. Anything odd is false, never
 * an exception.
 *
 * Source: RFC 9162 §2.1.4.2.
 */
export function verifyConsistency({ fromSize, toSize, fromRoot, toRoot, proof }: ConsistencyClaim): boolean {
  if (!Number.isSafeInteger(fromSize) || !Number.isSafeInteger(toSize)) return false
  if (fromSize < 0 || fromSize > toSize) return false
  if (![fromRoot, toRoot, ...proof].every((hash) => hash.length === 32)) return false
  if (fromSize === toSize) return proof.length === 0 && isSameHash(fromRoot, toRoot)
  if (fromSize === 0) return proof.length === 0 && isSameHash(fromRoot, sha256(''))
  if (proof.length === 0) return false

  let fn = fromSize - 1
  let sn = toSize - 1
  while (fn % 2 === 1) {
    fn = (fn - 1) / 2
    sn = Math.floor(sn / 2)
  }
  // fn reached 0: the old log is one complete subtree, whose hash the verifier holds and the proof leaves out.
  const path = fn === 0 ? [fromRoot, ...proof] : proof
  return climb(path, fn, sn, fromRoot, toRoot)
}

function climb(
  [first, ...rest]: readonly Uint8Array[],
  fromIndex: number,
  toIndex: number,
  fromRoot: Uint8Array,
  toRoot: Uint8Array,
): boolean {
  if (first === undefined) return false
  let fn = fromIndex
  let sn = toIndex
  let fr = first
  let sr = first
  for (const c of rest) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = hashNode(c, fr)
      sr = hashNode(c, sr)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      sr = hashNode(sr, c)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && isSameHash(fr, fromRoot) && isSameHash(sr, toRoot)
}
