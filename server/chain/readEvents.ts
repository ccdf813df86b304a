import { BaseError, LimitExceededRpcError } from 'viem'
import { isTransportFailure } from './isTransportFailure.ts'

type Range = { fromBlock: bigint; toBlock: bigint }

type Limits = {
  /** Most requests that the look-up may take. */
  requestsMax?: number
  /** How one request is made; by itself unless given. */
  call?: <R>(request: () => Promise<R>) => Promise<R>
}

/** Few enough for a look-up of the relayer to end while it is the relayer. */
const REQUESTS_MAX = 256

/**
 * Reads events of a range of blocks, oldest first, in shorter parts where the node finds the range too long.
 *
 * Nodes limit either the blocks or the answers of one request and say so in words of their own, so any refusal is
 * answered by asking for half as much, from then on; one block that is refused is a failure.
 *
 * @throws Error, and never an error of `call`, when the range takes too many requests: the node is well, and whoever
 *   asks for less is answered.
 */
export async function readEvents<T>(
  read: (range: Range) => Promise<T[]>,
  first: number,
  last: number,
  { requestsMax = REQUESTS_MAX, call = (request) => request() }: Limits = {},
): Promise<T[]> {
  const found: T[] = []
  let length = last - first + 1
  let from = first
  for (let requests = 0; from <= last; requests += 1) {
    if (requests >= requestsMax) throw tooManyRequests(first, last, length)
    const to = Math.min(last, from + length - 1)
    const events = await call(() => readOrRefuse(read, from, to))
    if (events === null) {
      length = Math.ceil((to - from + 1) / 2)
      continue
    }
    for (const event of events) found.push(event)
    from = to + 1
  }
  return found
}

/** Null when the node may answer for less. */
async function readOrRefuse<T>(
  read: (range: Range) => Promise<T[]>,
  from: number,
  to: number,
): Promise<T[] | null> {
  try {
    return await read({ fromBlock: BigInt(from), toBlock: BigInt(to) })
  } catch (error) {
    if (from === to || (isTransportFailure(error) && !isTooMuchAtOnce(error))) throw error
    return null
  }
}

/**
 * Whether a node finds that one request asks for too much. It has one code (-32005) for that and for too many requests,
 * which only words tell apart.
 */
function isTooMuchAtOnce(error: unknown): boolean {
  const cause =
    error instanceof BaseError ? error.walk((inner) => inner instanceof LimitExceededRpcError) : null
  if (!(cause instanceof LimitExceededRpcError)) return false
  return !/\b(rate|requests?|daily|quota|credits?)\b|per (second|minute|day)/i.test(cause.details)
}

function tooManyRequests(first: number, last: number, length: number): Error {
  return new Error(
    `the node tells events of ${length} blocks at a time, too few to look through blocks ${first} to ${last}: ` +
      'use a node that tells more of them at once',
  )
}
