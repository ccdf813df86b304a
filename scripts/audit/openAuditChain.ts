import { BaseError, createPublicClient, getAddress, http, RpcRequestError, zeroAddress } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import { isContractFailure, isTransportFailure } from '../../server/chain/nodeFailure.ts'
import { readEvents } from '../../server/chain/readEvents.ts'

type Hex = `0x${string}`

const { abi } = auditLog
const TIMEOUT_MS = 10_000
/** An auditor can wait for a node that tells events of few blocks at a time. */
const REQUESTS_MAX = 10_000

/** Where a log stands on chain. */
type LogHead = { batch: number; size: number; root: Hex; operator: Hex; anchoredAt: Date | null }

/** One batch as the chain's events tell it. */
export type AnchoredBatch = {
  number: number
  prevSize: number
  newSize: number
  root: Hex
  transactionHash: Hex
  blockNumber: number
}

/** One log on one chain: all that the auditor believes. */
export type AuditChain = {
  chainId: number
  contract: Hex
  logId: Hex
  /** Newest block when the chain was opened, and the head of the log there. */
  blockNumber: number
  head: LogHead
  /** Where a batch was anchored; looks at the named block first. Null when the chain has no such batch. */
  batch(number: number, blockNumber: number): Promise<AnchoredBatch | null>
  /** The batch after which the log had so many entries; null when there is none. */
  batchOfSize(size: number): Promise<AnchoredBatch | null>
  blockTime(blockNumber: number): Promise<Date>
  /** The contract's own verdict, against its head; null when that has moved on meanwhile, so that it cannot be asked. */
  includes(leafHash: Hex, index: number, proof: readonly Hex[]): Promise<boolean | null>
}

/**
 * Asks the chain where a log stands; what was asked once is remembered.
 *
 * @throws Error whose message is a sentence for the auditor: no answer, no such contract, no such log.
 */
export async function openAuditChain(input: { rpc: string; contract: Hex; logId: Hex }): Promise<AuditChain> {
  const { rpc, logId } = input
  const contract = getAddress(input.contract.toLowerCase())
  const client = createPublicClient({ transport: http(rpc, { timeout: TIMEOUT_MS, retryCount: 1 }) })
  const [chainId, newest, code] = await reach(rpc, async () => [
    await client.getChainId(),
    Number(await client.getBlockNumber({ cacheTime: 0 })),
    await client.getCode({ address: contract }),
  ])
  if (code === undefined) throw new Error(`Chain ${chainId} has no contract at ${contract}.`)
  // Of the block up to which events are looked for: the batch of a younger head would not be found among them.
  const head = await readHead(newest)
  const found = new Map<number, Promise<AnchoredBatch | null>>()

  /** @param block Null for the newest one. */
  async function readHead(block: number | null): Promise<LogHead> {
    const at = block === null ? {} : { blockNumber: BigInt(block) }
    const [batch, size, anchoredAt, root, operator] = await client
      .readContract({ address: contract, abi, functionName: 'head', args: [logId], ...at })
      .catch((error: unknown) => {
        if (isOfNode(error)) return reach(rpc, () => Promise.reject(error))
        throw new Error(`The contract at ${contract} on chain ${chainId} is no audit log.`)
      })
    if (operator === zeroAddress) throw new Error(`The contract at ${contract} knows no log ${logId}.`)
    const seconds = Number(anchoredAt)
    return {
      batch: Number(batch),
      size: Number(size),
      root,
      operator,
      anchoredAt: seconds === 0 ? null : new Date(seconds * 1000),
    }
  }

  /** Of one batch, or of all of them when it is null. */
  const batchesIn = async (number: number | null, first: number, last: number): Promise<AnchoredBatch[]> => {
    const args = number === null ? { logId } : { logId, batch: BigInt(number) }
    const what = { address: contract, abi, eventName: 'BatchAnchored', args, strict: true } as const
    const events = await reach(rpc, () =>
      readEvents((range) => client.getContractEvents({ ...what, ...range }), first, last, {
        requestsMax: REQUESTS_MAX,
      }),
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
    const [here] = blockNumber <= newest ? await batchesIn(number, blockNumber, blockNumber) : []
    return here ?? (await batchesIn(number, 0, newest))[0] ?? null
  }

  let all: Promise<AnchoredBatch[]> | undefined

  return {
    chainId,
    contract,
    logId,
    blockNumber: newest,
    head,
    batch(number, blockNumber) {
      const known = found.get(number) ?? findBatch(number, blockNumber)
      found.set(number, known)
      return known
    },
    async batchOfSize(size) {
      all ??= batchesIn(null, 0, newest)
      return (await all).find(({ newSize }) => newSize === size) ?? null
    },
    blockTime: (blockNumber) =>
      reach(rpc, async () => {
        const { timestamp } = await client.getBlock({ blockNumber: BigInt(blockNumber) })
        return new Date(Number(timestamp) * 1000)
      }),
    async includes(leafHash, index, proof) {
      const isIncluded = await reach(rpc, () =>
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

/** Whether it was the node that gave no answer, for reasons of its own, and not the contract. */
function isOfNode(error: unknown): boolean {
  if (isTransportFailure(error)) return true
  if (!(error instanceof BaseError) || isContractFailure(error)) return false
  return error.walk((inner) => inner instanceof RpcRequestError) !== null
}

async function reach<Result>(rpc: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    const said = error instanceof Error ? error.message : error
    const why = error instanceof Error && 'shortMessage' in error ? error.shortMessage : said
    throw new Error(`The chain at ${new URL(rpc).origin} gave no usable answer: ${why}`, { cause: error })
  }
}
