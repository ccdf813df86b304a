import { sha256 } from '@svc/core/hash.ts'

/** Smaller subtrees are recomputed each time: caching them would cost more memory than it saves time. */
const REMEMBERED_LEVEL_MIN = 3

/**
 * The tree of RFC 9162 as its recursive definitions read, over leaf hashes given by their index: the naive twin of the
 * fast code. Complete subtrees are cached, so that many proofs can be requested of large trees.
 */
export function buildNaiveTree(leafAt: (index: number) => Uint8Array) {
  return treeOf((start, end) => (end - start === 1 ? leafAt(start) : null))
}

/**
 * The same for trees of any size when only some indexes matter: a complete subtree without any of them is not computed
 * and has a made-up hash.
 */
export function buildNaiveTreeAround(places: readonly number[]) {
  return treeOf((start, end) => {
    const isWhole = levelOf(end - start) !== null && start % (end - start) === 0
    return isWhole && places.every((place) => place <= start || place >= end) ? madeUpHash(start, end) : null
  })
}

function madeUpHash(start: number, end: number): Uint8Array {
  const hash = new Uint8Array(32)
  const view = new DataView(hash.buffer)
  view.setFloat64(0, start)
  view.setFloat64(8, end)
  return hash
}

/** @param givenHash The hash of a subtree that is not computed, which includes every leaf; null for all others. */
function treeOf(givenHash: (start: number, end: number) => Uint8Array | null) {
  const known: Uint8Array[][] = Array.from({ length: 32 }, () => [])

  function root(start: number, end: number): Uint8Array {
    const n = end - start
    if (n === 0) return sha256('')
    const given = givenHash(start, end)
    if (given !== null) return given
    const level = levelOf(n)
    const row = level !== null && level >= REMEMBERED_LEVEL_MIN ? known[level] : undefined
    const remembered = row?.[start / n]
    if (remembered !== undefined) return remembered
    const k = split(n)
    const result = join(root(start, start + k), root(start + k, end))
    if (row !== undefined) row[start / n] = result
    return result
  }

  function path(m: number, start: number, end: number): Uint8Array[] {
    const n = end - start
    if (n === 1) return []
    const k = split(n)
    return m < k
      ? [...path(m, start, start + k), root(start + k, end)]
      : [...path(m - k, start + k, end), root(start, start + k)]
  }

  function subproof(m: number, start: number, end: number, b: boolean): Uint8Array[] {
    const n = end - start
    if (m === n) return b ? [] : [root(start, end)]
    const k = split(n)
    return m <= k
      ? [...subproof(m, start, start + k, b), root(start + k, end)]
      : [...subproof(m - k, start + k, end, false), root(start, start + k)]
  }

  return {
    root: (size: number) => root(0, size),
    inclusion: (index: number, size: number) => path(index, 0, size),
    consistency: (fromSize: number, toSize: number) => subproof(fromSize, 0, toSize, true),
    subtree: (level: number, index: number) => root(index * 2 ** level, (index + 1) * 2 ** level),
  }
}

/** Level of a complete subtree with `n` leaves; null if `n` is not a power of two, near which logarithms are rounded. */
function levelOf(n: number): number | null {
  const level = Math.round(Math.log2(n))
  return 2 ** level === n ? level : null
}

function split(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(65)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 33)
  return sha256(bytes)
}
