import { BaseError, LimitExceededRpcError, type PublicClient } from 'viem'
import type { EventPosition, Hex } from './chainTypes.ts'
import { isTransportFailure, NodeLags } from './nodeFailure.ts'

type Range = { fromBlock: bigint; toBlock: bigint }

type Node = {
  client(): PublicClient
  /** Wraps one request; by default it is sent as is. */
  call?: <R>(request: () => Promise<R>) => Promise<R>
  /** Maximum number of requests per search. */
  requestsMax?: number
}

/** Few enough for the relayer to finish a search while it holds its lease. */
const REQUESTS_MAX = 256

/**
 * Reads the events in a range of blocks, oldest first, and splits the range if the node finds it too long.
 *
 * Nodes limit either the blocks or the results of a request, and each words the error differently. So after any error
 * the range is halved for all following requests; an error for a single block is a failure.
 *
 * A node returns nothing for blocks that it does not have yet, as if they were empty, and behind the address of a provider
 * there are many nodes. So the newest block is asked for first: in the same batch, which one node answers, if the client
 * sends batches.
 *
 * @throws Error, and never an error of `call`, if the range takes too many requests: the node works, and a shorter
 * range would succeed.
 */
export async function readEvents<T>(
  { client, call = (request) => request(), requestsMax = REQUESTS_MAX }: Node,
  read: (node: PublicClient, range: Range) => Promise<T[]>,
  { first, last }: { first: number; last: number },
): Promise<T[]> {
  const found: T[] = []
  let length = last - first + 1
  let from = first
  for (let requests = 0; from <= last; requests += 1) {
    if (requests >= requestsMax) throw tooManyRequests(first, last, length)
    const to = Math.min(last, from + length - 1)
    const events = await call(() => readOrSplit(client(), read, from, to))
    if (events === null) {
      length = Math.ceil((to - from + 1) / 2)
      continue
    }
    for (const event of events) found.push(event)
    from = to + 1
  }
  return found
}

/** Null if the node may accept a shorter range. */
async function readOrSplit<T>(
  node: PublicClient,
  read: (node: PublicClient, range: Range) => Promise<T[]>,
  from: number,
  to: number,
): Promise<T[] | null> {
  try {
    const [head, events] = await Promise.all([
      node.request({ method: 'eth_blockNumber' }),
      read(node, { fromBlock: BigInt(from), toBlock: BigInt(to) }),
    ])
    if (Number(head) < to) throw new NodeLags(Number(head), to)
    return events
  } catch (error) {
    if (from === to || (isTransportFailure(error) && !isRangeTooLarge(error))) throw error
    return null
  }
}

/**
 * Whether the node rejects a single request as too large. The same code (-32005) also means too many requests; only the
 * message distinguishes the two.
 */
function isRangeTooLarge(error: unknown): boolean {
  const cause =
    error instanceof BaseError ? error.walk((inner) => inner instanceof LimitExceededRpcError) : null
  if (!(cause instanceof LimitExceededRpcError)) return false
  return !/\b(rate|requests?|daily|quota|credits?)\b|per (second|minute|day)/i.test(cause.details)
}

function tooManyRequests(first: number, last: number, length: number): Error {
  return new Error(
    `the node returns events of ${length} blocks at a time, too few to search blocks ${first} to ${last}: ` +
      'use a node that returns more at once',
  )
}

/** Returns the position of an event on chain. */
export function eventPositionOf(log: {
  transactionHash: Hex
  blockNumber: bigint
  blockHash: Hex
}): EventPosition {
  return { hash: log.transactionHash, block: Number(log.blockNumber), blockHash: log.blockHash }
}
