import type { Fees } from '@svc/core/fees.ts'
import { isSameHex } from '@svc/core/isSameHex.ts'
import {
  BaseError,
  isHex,
  keccak256,
  type LocalAccount,
  numberToHex,
  type PublicClient,
  parseTransaction,
  RpcRequestError,
} from 'viem'
import type { CallNode } from './callNode.ts'
import type { Block, ContractCall, Hex, Receipt, SendResult } from './chainTypes.ts'
import { createBatchedFetch } from './createBatchedFetch.ts'
import { createLazyClient } from './createLazyClient.ts'
import { createSignatureCheck } from './createSignatureCheck.ts'
import { decodeRefusal, type Refusal } from './decodeRefusal.ts'
import { isTransportFailure } from './nodeFailure.ts'
import { readBlock } from './readBlock.ts'
import { type Poll, type PollQuestion, readPoll } from './readPoll.ts'
import { requireBlock } from './requireBlock.ts'
import { readReceipt, sendRaw } from './transactions.ts'

type NodeOptions = {
  /** Read on every call, as a restarted local chain may listen elsewhere. */
  url(): string
  timeoutMs: number
  /** The relayer's present account, then those whose transactions and tokens it still finishes. */
  accounts: readonly [LocalAccount, ...LocalAccount[]]
  call: CallNode
}

/** Of which most chains use 21,000; some rollups charge for the data of a transaction in gas. */
const EMPTY_GAS = 100_000n

export type Transport = { client(): PublicClient; call: CallNode }

/**
 * Creates the calls to a node that do not depend on a contract, plus the paying accounts.
 *
 * Nonces and fees are always explicit: the outbox knows them, the node only guesses. Every method throws
 * `CHAIN_UNAVAILABLE` if the node does not respond within its timeout and retries.
 */
export function createChainNode({ url, timeoutMs, accounts, call }: NodeOptions) {
  const [account] = accounts
  const accountOf = (address: Hex): LocalAccount => {
    const found = accounts.find((one) => one.address === address)
    if (found === undefined) throw new Error(`there is no key of ${address}`)
    return found
  }
  const client = createLazyClient({ url, createFetch: () => createBatchedFetch(timeoutMs) })
  const read = <T>(work: (node: PublicClient) => Promise<T>): Promise<T> => call(() => work(client()))
  return {
    transport: { client, call } satisfies Transport,

    /** The relayer's present account, which pays and whose nonces are used unless a call says otherwise. */
    relayerAddress: account.address as Hex,

    /** Every account whose key is known: the present one, then the former ones. */
    relayers: accounts.map(({ address }) => address as Hex),

    readChainId: (): Promise<number> => read((node) => node.getChainId()),

    /** Reads the latest block. */
    readHead: (): Promise<Block> => read((node) => requireBlock(node)),

    /** Reads the hash of a block; null if the node has no block with this number. */
    readBlockHash: async (number: number): Promise<Hex | null> =>
      (await read((node) => readBlock(node, number)))?.hash ?? null,

    /** Reads the time of a block in Unix seconds; null if the node has no block with this number. */
    readBlockTime: async (number: number): Promise<number | null> =>
      (await read((node) => readBlock(node, number)))?.timestamp ?? null,

    /** Hash of block 0, which distinguishes one development chain from the next. */
    readGenesisHash: async (): Promise<Hex> => (await read((node) => requireBlock(node, 0))).hash,

    /** Reads the state of the chain, and what else is asked for, at once. */
    readPoll: (question: PollQuestion): Promise<Poll> => read((node) => readPoll(node, question)),

    hasCode: (address: Hex): Promise<boolean> =>
      read(async (node) => {
        const code: unknown = (await node.getCode({ address })) ?? '0x'
        if (!isHex(code)) throw new Error('the node returned invalid code')
        return code !== '0x'
      }),

    /** In wei. */
    readBalance: (address: Hex): Promise<bigint> => read((node) => node.getBalance({ address })),

    /** Number of nonces the account has used, at the head or at an earlier block. */
    readTransactionCount: (address: Hex, block?: number): Promise<number> =>
      read((node) =>
        node.getTransactionCount(block === undefined ? { address } : { address, blockNumber: BigInt(block) }),
      ),

    /** Current priority fee in wei per gas, beyond the base fee. */
    readPriorityFee: (): Promise<bigint> => read((node) => node.estimateMaxPriorityFeePerGas()),

    /**
     * Simulates a call by an account at the head, and returns its gas, at most `gasMax`, or the refusal.
     *
     * @throws Error, and not `CHAIN_UNAVAILABLE`, if the node answers with an error in other words: it works, and only this
     * call has failed.
     */
    async simulate(
      { to, data }: ContractCall,
      from: Hex = account.address,
      gasMax?: bigint,
    ): Promise<{ gas: bigint } | { refusal: Refusal }> {
      const simulated = await read(async (node) => {
        try {
          // Not `estimateGas`, which drops the limit.
          const limit = gasMax === undefined ? {} : { gas: numberToHex(gasMax) }
          const transaction = { from, data, ...(to === null ? {} : { to }), ...limit }
          return { gas: BigInt(await node.request({ method: 'eth_estimateGas', params: [transaction] })) }
        } catch (error) {
          const refusal = decodeRefusal(error)
          if (refusal) return { refusal }
          if (
            error instanceof BaseError &&
            error.walk((inner) => inner instanceof RpcRequestError) !== null &&
            !isTransportFailure(error)
          )
            return { failure: `the node cannot estimate the call: ${error.details}`.slice(0, 300) }
          throw error
        }
      })
      if ('failure' in simulated) throw new Error(simulated.failure)
      return simulated
    },

    /** Signs a transaction without sending it. */
    sign: (
      contractCall: ContractCall,
      given: Fees & { chainId: number; nonce: number; gas: bigint },
      from: Hex = account.address,
    ): Promise<{ raw: Hex; hash: Hex }> => signWith(accountOf(from), { ...contractCall, ...given }),

    /** Signs the same transaction with the same nonce and other fees. */
    async signWithFees(raw: Hex, fees: Fees, from: Hex): Promise<{ raw: Hex; hash: Hex; gas: bigint }> {
      const { chainId, nonce, gas, to, data } = parseTransaction(raw)
      if (chainId === undefined || gas === undefined) throw new Error('a stored transaction is incomplete')
      const same = { chainId, nonce: nonce ?? 0, gas, to: to ?? null, data: data ?? '0x' }
      return { ...(await signWith(accountOf(from), { ...same, ...fees })), gas }
    },

    /** Signs an empty transaction of an account to itself with the nonce of another transaction. */
    async signEmpty(raw: Hex, fees: Fees, from: Hex): Promise<{ raw: Hex; hash: Hex; gas: bigint }> {
      const { chainId, nonce } = parseTransaction(raw)
      if (chainId === undefined) throw new Error('a stored transaction is incomplete')
      const empty = { chainId, nonce: nonce ?? 0, gas: EMPTY_GAS, to: from, data: '0x' } as const
      return { ...(await signWith(accountOf(from), { ...empty, ...fees })), gas: EMPTY_GAS }
    },

    /** Whether a transaction of an account does nothing but use up its nonce. */
    isEmpty(raw: Hex, from: string): boolean {
      const { to, data = '0x' } = parseTransaction(raw)
      return data === '0x' && isSameHex(to ?? '', from)
    },

    /** Sends a signed transaction to the node. */
    send: (raw: Hex): Promise<SendResult> => read((node) => sendRaw(node, raw)),

    /** Reads the receipt of a transaction; null until a block contains it. */
    readReceipt: (hash: Hex): Promise<Receipt | null> => read((node) => readReceipt(node, hash)),

    /** Whether a contract wallet accepts a signature over a hash (ERC-1271). */
    acceptsSignature: createSignatureCheck({ url, timeoutMs }),

    /** Funds the relayer on a development chain. */
    fundOnLocalChain: (wei: bigint): Promise<void> =>
      read(async (node) => {
        const request = node.request as (body: { method: string; params: unknown[] }) => Promise<unknown>
        await request({ method: 'hardhat_setBalance', params: [account.address, `0x${wei.toString(16)}`] })
      }),
  }
}

async function signWith(
  account: LocalAccount,
  given: ContractCall & Fees & { chainId: number; nonce: number; gas: bigint },
): Promise<{ raw: Hex; hash: Hex }> {
  const raw = await account.signTransaction({ type: 'eip1559', value: 0n, ...given })
  return { raw, hash: keccak256(raw) }
}
