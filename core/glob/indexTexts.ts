import type { GlobCharacter } from './parseGlob.ts'

/**
 * Texts, each between two slashes, as sets of positions: bit n of a set stands for the position before the n-th character.
 *
 * With the added slashes, every segment begins after a slash and ends before one. Nothing matches across two texts.
 */
export type TextIndex = {
  /** The positions after the slash that was added at the start of each text, and before the one at its end. */
  starts: bigint
  ends: bigint
  slashes: bigint
  /** The positions before characters other than slashes. */
  others: bigint
  /** The positions before characters that an item matches. */
  positionsOf(item: GlobCharacter): bigint
}

const SLASH = 47
/** Stands between two texts, and is no character. */
const SEPARATOR = -1

/** Indexes texts for `matchItems`. Sets of positions are built when they are needed, because most never are. */
export function indexTexts(texts: readonly string[]): TextIndex {
  const codes: number[] = []
  let starts = 0n
  let ends = 0n
  for (const text of texts) {
    codes.push(SLASH)
    starts |= 1n << BigInt(codes.length)
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) ?? 0
      if (code > 0xffff) at += 1
      codes.push(code)
    }
    ends |= 1n << BigInt(codes.length)
    codes.push(SLASH, SEPARATOR)
  }
  const slashes = searchPositions(codes, SLASH)
  const others = slashes ^ (ends << 1n) ^ ((1n << BigInt(codes.length)) - 1n)
  const classes = new Map<GlobCharacter, bigint>()
  let positions = new Map([[SLASH, slashes]])
  let hasAll = false
  let ordered: OrderedPositions | undefined
  return { starts, ends, slashes, others, positionsOf }

  function positionsOf(item: GlobCharacter): bigint {
    if (item.kind === 'any') return others
    if (item.kind === 'literal') return positionsOfCode(item.code)
    const found = classes.get(item) ?? positionsOfClass(item)
    classes.set(item, found)
    return found
  }

  function positionsOfCode(code: number): bigint {
    const known = positions.get(code)
    if (known !== undefined || hasAll) return known ?? 0n
    hasAll = positions.size >= SEARCHES_MAX
    if (hasAll) positions = listPositions(codes)
    const found = hasAll ? (positions.get(code) ?? 0n) : searchPositions(codes, code)
    positions.set(code, found)
    return found
  }

  function positionsOfClass({ ranges, negated }: GlobCharacter & { kind: 'class' }): bigint {
    let found = 0n
    for (const { from, to } of ranges) {
      if (from === to) {
        found |= positionsOfCode(from)
        continue
      }
      ordered ??= orderPositions(codes)
      found |= positionsWithin(ordered, from, to)
    }
    return negated ? others ^ (others & found) : others & found
  }
}

/** After so many characters were searched for one by one, it costs less to list the positions of all. */
const SEARCHES_MAX = 16

function searchPositions(codes: readonly number[], code: number): bigint {
  let found = 0n
  for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1)) found |= 1n << BigInt(at)
  return found
}

function listPositions(codes: readonly number[]): Map<number, bigint> {
  const positions = new Map<number, bigint>()
  for (const [at, code] of codes.entries()) {
    positions.set(code, (positions.get(code) ?? 0n) | (1n << BigInt(at)))
  }
  return positions
}

/** The different characters of the texts in order; `upTo[n]` is the set of positions of the first n. */
type OrderedPositions = { codes: number[]; upTo: bigint[] }

function orderPositions(codes: readonly number[]): OrderedPositions {
  const positions = listPositions(codes)
  const sorted = [...positions.keys()].sort((one, other) => one - other)
  const upTo = [0n]
  for (const [at, code] of sorted.entries()) upTo.push((upTo[at] ?? 0n) | (positions.get(code) ?? 0n))
  return { codes: sorted, upTo }
}

function positionsWithin({ codes, upTo }: OrderedPositions, from: number, to: number): bigint {
  return (upTo[countBelow(codes, from)] ?? 0n) ^ (upTo[countBelow(codes, to + 1)] ?? 0n)
}

function countBelow(codes: readonly number[], limit: number): number {
  let low = 0
  let high = codes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((codes[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
