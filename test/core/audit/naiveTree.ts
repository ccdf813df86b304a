import { hash } from 'node:crypto'

/**
 * The tree of RFC 9162 as its recursive definitions read, over given leaf hashes: the twin the fast code is held
 * against. Ranges that are complete subtrees are remembered, so that large trees can be asked for many proofs.
 */
export function naiveTree(leaves: readonly Uint8Array[]) {
  const known = new Map<number, Uint8Array>()

  function root(start: number, end: number): Uint8Array {
    const n = end - start
    if (n === 0) return digest(new Uint8Array(0))
    if (n === 1) return leaves[start] ?? new Uint8Array(0)
    const key = Number.isInteger(Math.log2(n)) ? start * 64 + Math.log2(n) : -1
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const k = split(n)
    const result = digest(Uint8Array.of(1, ...root(start, start + k), ...root(start + k, end)))
    if (key >= 0) known.set(key, result)
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

function split(n: number): number {
  let k = 1
  while (k * 2 < n) k *= 2
  return k
}

function digest(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash('sha256', bytes, 'buffer'))
}
