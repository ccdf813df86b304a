import { isTransportFailure } from './isTransportFailure.ts'

/** Most requests one look-up may take when the node limits its ranges. */
const REQUESTS_MAX = 256

/**
 * Reads events of a range of blocks, in halves where the node finds the range too long.
 *
 * Nodes limit either the blocks or the answers of one request and say so in words of their own, so any refusal is
 * answered by asking for less; one block that is refused, or too many requests, is a failure.
 */
export async function readEvents<T>(
  read: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<T[]>,
  first: number,
  last: number,
): Promise<T[]> {
  const found: T[] = []
  const ranges = [{ first, last }]
  for (let requests = 0; ranges.length > 0; requests += 1) {
    const range = ranges.pop()
    if (range === undefined || range.first > range.last) continue
    try {
      found.push(...(await read({ fromBlock: BigInt(range.first), toBlock: BigInt(range.last) })))
    } catch (error) {
      if (isTransportFailure(error) || range.first === range.last || requests >= REQUESTS_MAX) throw error
      const middle = Math.floor((range.first + range.last) / 2)
      ranges.push({ first: middle + 1, last: range.last }, { first: range.first, last: middle })
    }
  }
  return found
}
