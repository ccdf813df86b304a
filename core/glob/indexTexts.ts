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
  const starts: number[] = []
  const ends: number[] = []
  for (const text of texts) {
    codes.push(SLASH)
    starts.push(codes.length)
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) ?? 0
      if (code > 0xffff) at += 1
      codes.push(code)
    }
    ends.push(codes.length)
    codes.push(SLASH, SEPARATOR)
  }
  const slashes = searchPositions(codes, SLASH)
  const endSet = setOf(ends)
  const others = slashes ^ (endSet << 1n) ^ ((1n << BigInt(codes.length)) - 1n)
  const classes = new Map<GlobCharacter, bigint>()
  const sets = new Map([[SLASH, slashes]])
  let places: ReadonlyMap<number, number[]> | undefined
  let ordered: OrderedPositions | undefined
  return { starts: setOf(starts), ends: endSet, slashes, others, positionsOf }

  function positionsOf(item: GlobCharacter): bigint {
    if (item.kind === 'any') return others
    if (item.kind === 'literal') return positionsOfCode(item.code)
    const found = classes.get(item) ?? positionsOfClass(item)
    classes.set(item, found)
    return found
  }

  function positionsOfCode(code: number): bigint {
    const known = sets.get(code)
    if (known !== undefined) return known
    if (sets.size === SEARCHES_MAX) places = listPlaces(codes)
    const found = places === undefined ? searchPositions(codes, code) : setOf(places.get(code) ?? [])
    sets.set(code, found)
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
  const found: number[] = []
  for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1)) found.push(at)
  return setOf(found)
}

function listPlaces(codes: readonly number[]): Map<number, number[]> {
  const places = new Map<number, number[]>()
  for (const [at, code] of codes.entries()) {
    const known = places.get(code)
    if (known === undefined) places.set(code, [at])
    else known.push(at)
  }
  return places
}

/** Up to this number of positions, adding them one by one costs less than writing the set out in hexadecimal digits. */
const FEW = 32

function setOf(positions: readonly number[]): bigint {
  if (positions.length <= FEW) {
    let set = 0n
    for (const at of positions) set |= 1n << BigInt(at)
    return set
  }
  const highest = (positions.at(-1) ?? 0) >> 2
  const digits = Array.from({ length: highest + 1 }, () => 0)
  for (const at of positions) {
    const digit = highest - (at >> 2)
    digits[digit] = (digits[digit] ?? 0) | (1 << (at & 3))
  }
  return BigInt(`0x${digits.map((digit) => digit.toString(16)).join('')}`)
}

/** The different characters of the texts in order; `upTo[n]` is the set of positions of the first n. */
type OrderedPositions = { codes: number[]; upTo: bigint[] }

function orderPositions(codes: readonly number[]): OrderedPositions {
  const places = listPlaces(codes)
  const sorted = [...places.keys()].sort((one, other) => one - other)
  const upTo = [0n]
  for (const [at, code] of sorted.entries()) upTo.push((upTo[at] ?? 0n) | setOf(places.get(code) ?? []))
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
