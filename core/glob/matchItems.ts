import type { TextIndex } from './indexTexts.ts'
import type { GlobItem, GlobItems } from './parseGlob.ts'

/**
 * Whether items match from one of the positions `from` up to one of the positions `to`.
 *
 * All ways to match are followed at once, as a set of positions that each item advances. So an item costs a few operations
 * on a set, whatever the other items are, and alternatives cost no more than what is written in them.
 */
export function matchItems(items: GlobItems, texts: TextIndex, from: bigint, to: bigint): boolean {
  const { reached, starred } = advanceAll(items, { reached: from, starred: 0n }, texts)
  return ((reached | passStar(starred, texts)) & to) !== 0n
}

/** The positions reached, and those before a star that has not been passed yet, because it may be the first of `**`. */
type Positions = { reached: bigint; starred: bigint }

function advanceAll(items: GlobItems, from: Positions, texts: TextIndex): Positions {
  let positions = from
  for (const item of items) {
    positions = advance(item, positions, texts)
    if (positions.reached === 0n && positions.starred === 0n) break
  }
  return positions
}

function advance(item: GlobItem, { reached, starred }: Positions, texts: TextIndex): Positions {
  switch (item.kind) {
    case 'star':
      return { reached: passSegments(starred, texts), starred: reached }
    case 'choice': {
      const ends = { reached: 0n, starred: 0n }
      for (const alternative of item.alternatives) {
        const end = advanceAll(alternative, { reached, starred }, texts)
        ends.reached |= end.reached
        ends.starred |= end.starred
      }
      return ends
    }
    default: {
      const before = reached | passStar(starred, texts)
      return { reached: (before & texts.positionsOf(item)) << 1n, starred: 0n }
    }
  }
}

/** The positions after one or more characters of the same segment. */
function passStar(before: bigint, { others }: TextIndex): bigint {
  return before === 0n ? 0n : runThrough(others, before & others) << 1n
}

/** The ends of segments from the one before each of these positions, because `**` may also match no segment. */
function passSegments(before: bigint, { slashes, others, ends }: TextIndex): bigint {
  if (before === 0n) return 0n
  const last = before >> 1n
  const inside = (slashes | others) ^ ends
  return (last | (runThrough(inside, last & inside) << 1n)) & slashes
}

/** Extends positions through the consecutive positions of a set: a carry runs through them all in one addition. */
function runThrough(set: bigint, from: bigint): bigint {
  return (set ^ (set & (set + from))) | from
}
