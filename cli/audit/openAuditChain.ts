import { BaseError, getAddress, http, RpcRequestError, zeroAddress } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import { createNodeClient } from '../../server/chain/createNodeClient.ts'
import { isContractFailure, isTransportFailure } from '../../server/chain/nodeFailure.ts'
import { readEvents } from '../../server/chain/readEvents.ts'
import type { AnchoredBatch } from './anchoredBatch.ts'
import { findBatchBefore } from './findBatchBefore.ts'
import { findFirstBatch } from './findFirstBatch.ts'
import type { LogMirror } from './logMirror.ts'

type Hex = `0x${string}`

const { abi } = auditLog
const TIMEOUT_MS = 10_000
/** High, because an auditor can wait for a node that returns the events of only a few blocks per request. */
const REQUESTS_MAX = 10_000

/** The head of a log on chain. */
type LogHead = { batch: number; size: number; root: Hex; operator: Hex; anchoredAt: Date | null }

/** One log on one chain: the only thing the auditor trusts. */
export type AuditChain = {
  chainId: number
  contract: Hex
  logId: Hex
  /** What the log is a mirror of; null if it is the log itself. */
  mirror: LogMirror | null
  /** The newest block when the chain was opened, and the head of the log at that block. */
  blockNumber: number
  head: LogHead
  /**
   * Finds where a batch was anchored, and looks in the given block first. Null if the chain has no such batch.
   *
   * @throws Error if the node does not return a batch that the head counts: many nodes keep events for some time only.
   */
  batch(number: number, blockNumber: number): Promise<AnchoredBatch | null>
  /**
   * Finds the batch after which the log had this many entries; null if there is none.
   *
   * @throws Error if the node does not return every batch.
   */
  batchOfSize(size: number): Promise<AnchoredBatch | null>
  /**
   * Finds the batch that first anchored an entry: the given one, whose log contains it, or one before it.
   *
   * @param time When the entry says that it was written, which is where the search begins.
   * @throws Error if the node does not return every batch.
   */
  firstBatchOf(index: number, upTo: AnchoredBatch, time: Date): Promise<AnchoredBatch>
  /** Finds the batch before another one; null if there is none. */
  batchBefore(batch: AnchoredBatch): Promise<AnchoredBatch | null>
  /** Lists the batches from one to another, both included, in order. */
  batchesBetween(first: AnchoredBatch, last: AnchoredBatch): Promise<AnchoredBatch[]>
  blockTime(blockNumber: number): Promise<Date>
  /** The contract's own verdict against its head; null if the head has changed since, so the contract cannot tell. */
  includes(leafHash: Hex, index: number, proof: readonly Hex[]): Promise<boolean | null>
}

type OpenInput = { rpc: string; contract: Hex; logId: Hex; mirror?: LogMirror | null; signal?: AbortSignal }

/**
 * Opens a log on a chain and reads its head; batches and times of blocks that were read once are cached. The signal
 * interrupts every request.
 *
 * @throws Error with a message for the auditor: no response, no such contract, no such log.
 */
export async function openAuditChain(input: OpenInput): Promise<AuditChain> {
  const { rpc, logId, mirror = null, signal } = input
  const contract = getAddress(input.contract.toLowerCase())
  const transport = http(rpc, { timeout: TIMEOUT_MS, retryCount: 1, fetchFn: interruptedBy(signal) })
  const client = createNodeClient(transport)
  const [chainId, newest, code] = await callNode(rpc, async () => [
    await client.getChainId(),
    Number(await client.getBlockNumber({ cacheTime: 0 })),
    await client.getCode({ address: contract }),
  ])
  if (code === undefined) throw new Error(`Chain ${chainId} has no contract at ${contract}.`)
  // Read at the block where the search for events ends, because the batch of a later head would not be found.
  const head = await readHead(newest)
  const found = new Map<number, Promise<AnchoredBatch | null>>()

  /** @param block Null for the newest one. */
  async function readHead(block: number | null): Promise<LogHead> {
    const at = block === null ? {} : { blockNumber: BigInt(block) }
    const [batch, size, anchoredAt, root, operator] = await client
      .readContract({ address: contract, abi, functionName: 'head', args: [logId], ...at })
      .catch((error: unknown) => {
        if (isNodeFailure(error)) return callNode(rpc, () => Promise.reject(error))
        throw new Error(`The contract at ${contract} on chain ${chainId} is not an audit log.`)
      })
    if (operator === zeroAddress) throw new Error(`The contract at ${contract} has no log ${logId}.`)
    const seconds = Number(anchoredAt)
    return {
      batch: Number(batch),
      size: Number(size),
      root,
      operator,
      anchoredAt: seconds === 0 ? null : new Date(seconds * 1000),
    }
  }

  /** @param number The batch to look for; null for all batches. */
  const batchesIn = async (number: number | null, first: number, last: number): Promise<AnchoredBatch[]> => {
    const args = number === null ? { logId } : { logId, batch: BigInt(number) }
    const filter = { address: contract, abi, eventName: 'BatchAnchored', args, strict: true } as const
    const events = await callNode(rpc, () =>
      readEvents(
        { client: () => client, requestsMax: REQUESTS_MAX },
        (node, range) => node.getContractEvents({ ...filter, ...range }),
        { first, last },
      ),
    )
    return events.map((event) => ({
      number: Number(event.args.batch),
      prevSize: Number(event.args.prevSize),
      newSize: Number(event.args.newSize),
      root: event.args.root,
      transactionHash: event.transactionHash,
      blockNumber: Number(event.blockNumber),
    }))
  }

  async function findBatch(number: number, blockNumber: number): Promise<AnchoredBatch | null> {
    if (number < 1 || number > head.batch) return null
    const [here] = blockNumber <= newest ? await batchesIn(number, blockNumber, blockNumber) : []
    const [found] = here === undefined ? await batchesIn(number, 0, newest) : [here]
    if (found !== undefined) return found
    throw new Error(
      `The node does not return batch ${number} of the log, which has ${head.batch}. Ask another node.`,
    )
  }

  async function readAll(): Promise<AnchoredBatch[]> {
    const batches = await batchesIn(null, 0, newest)
    if (batches.length === head.batch) return batches
    throw new Error(
      `The node returns ${batches.length} batches of the log, which has ${head.batch}. Ask another node.`,
    )
  }

  let all: Promise<AnchoredBatch[]> | undefined
  const times = new Map<number, Promise<Date>>()

  async function readBlockTime(blockNumber: number): Promise<Date> {
    return callNode(rpc, async () => {
      const { timestamp } = await client.getBlock({ blockNumber: BigInt(blockNumber) })
      return new Date(Number(timestamp) * 1000)
    })
  }

  function blockTime(blockNumber: number): Promise<Date> {
    const known = times.get(blockNumber) ?? readBlockTime(blockNumber)
    times.set(blockNumber, known)
    return known
  }

  return {
    chainId,
    contract,
    logId,
    mirror,
    blockNumber: newest,
    head,
    batch(number, blockNumber) {
      const known = found.get(number) ?? findBatch(number, blockNumber)
      found.set(number, known)
      return known
    },
    async batchOfSize(size) {
      all ??= readAll()
      return (await all).find(({ newSize }) => newSize === size) ?? null
    },
    firstBatchOf: (index, upTo, time) => findFirstBatch({ batchesIn, blockTime }, { index, upTo, time }),
    batchBefore: (batch) => findBatchBefore(batchesIn, batch),
    batchesBetween: (first, last) => batchesIn(null, first.blockNumber, last.blockNumber),
    blockTime,
    async includes(leafHash, index, proof) {
      const isIncluded = await callNode(rpc, () =>
        client.readContract({
          address: contract,
          abi,
          functionName: 'verifyInclusion',
          args: [logId, leafHash, BigInt(index), [...proof]],
        }),
      )
      return isIncluded || (await readHead(null)).batch === head.batch ? isIncluded : null
    },
  }
}

function interruptedBy(signal: AbortSignal | undefined): typeof fetch {
  if (signal === undefined) return fetch
  return (address, { signal: limit, ...init } = {}) =>
    fetch(address, { ...init, signal: limit ? AbortSignal.any([signal, limit]) : signal })
}

/** Whether the node failed, and not the contract. */
function isNodeFailure(error: unknown): boolean {
  if (isTransportFailure(error)) return true
  if (!(error instanceof BaseError) || isContractFailure(error)) return false
  return error.walk((inner) => inner instanceof RpcRequestError) !== null
}

async function callNode<Result>(rpc: string, request: () => Promise<Result>): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    const message = error instanceof Error ? error.message : error
    const why = error instanceof Error && 'shortMessage' in error ? error.shortMessage : message
    throw new Error(`The node at ${new URL(rpc).origin} returned no usable response: ${why}`, {
      cause: error,
    })
  }
}
