import { sha256 } from '../hash.ts'
import { isSameHash } from './isSameHash.ts'
import { nodeHash } from './nodeHash.ts'

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
      fr = nodeHash(c, fr)
      sr = nodeHash(c, sr)
      while (fn % 2 === 0 && fn !== 0) {
        fn /= 2
        sn = Math.floor(sn / 2)
      }
    } else {
      sr = nodeHash(sr, c)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && isSameHash(fr, fromRoot) && isSameHash(sr, toRoot)
}
