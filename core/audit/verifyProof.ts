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
 * Whether the proof shows that the leaf is at `index` in the log of `treeSize` leaves with this root.
 *
 * The claim is untrusted, so anything invalid is false and never an exception: an index outside the log, a number that is
 * not an integer, a hash that is not 32 bytes, a proof that is too short or too long. A root does not determine the size,
 * so trust a size only together with the root with which it was anchored.
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
 * Whether the proof shows that the log with root `toRoot` extends the log with root `fromRoot`.
 *
 * The RFC leaves two cases open. Equal sizes need equal roots and an empty proof. Every log extends the empty log, whose
 * root is the SHA-256 of the empty string, and that proof is empty too. Anything invalid is false and never an exception.
 *
 * Source: RFC 9162 §2.1.4.2.
 */
export function verifyConsistency({ fromSize, toSize, fromRoot, toRoot, proof }: ConsistencyClaim): boolean {
  if (!Number.isSafeInteger(fromSize) || !Number.isSafeInteger(toSize)) return false
  if (fromSize < 0 || fromSize > toSize) return false
  if (![fromRoot, toRoot, ...proof].every((hash) => hash.length === 32)) return false
  if (fromSize === toSize) return proof.length === 0 && isSameHash(fromRoot, toRoot)
  if (fromSize === 0) return proof.length === 0 && isSameHash(fromRoot, sha256(''))

  let fn = fromSize - 1
  let sn = toSize - 1
  while (fn % 2 === 1) {
    fn = (fn - 1) / 2
    sn = Math.floor(sn / 2)
  }
  // At fn = 0 the old log is one complete subtree. The verifier has its hash, and the proof leaves it out.
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
