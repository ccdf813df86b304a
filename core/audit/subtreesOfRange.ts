import type { NodeAddress } from './merkleNode.ts'

/**
 * The complete subtrees that make up the leaves from `start` to `end` − 1, from left to right.
 *
 * `start` must be a multiple of the greatest power of two in the length, which holds for every subtree that
 * RFC 9162 names; there are then at most 53 of them, one for each bit of the length.
 *
 * Source: RFC 9162 §2.1.1.
 */
export function subtreesOfRange(start: number, end: number): NodeAddress[] {
  const length = end - start
  const addresses: NodeAddress[] = []
  let level = 0
  let width = 1
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) {
      // The bits below this one lie to the right of it: the subtree ends where they begin.
      const position = start + length - (length % (width * 2))
      addresses.unshift({ level, index: position / width })
    }
    level += 1
    width *= 2
  }
  return addresses
}
