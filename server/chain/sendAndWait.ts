import { setTimeout as pauseFor } from 'node:timers/promises'
import { type FeeMarket, proposeFees, raiseFees } from '@svc/core/fees.ts'
import { formatGwei, keccak256, parseTransaction, stringToHex } from 'viem'
import { ApiError, apiError } from '../errors.ts'
import type { ChainClient } from './chainClient.ts'
import type { ContractCall, Hex, Receipt, SendResult } from './chainTypes.ts'
import { type DeploymentJournal, type JournalEntry, NO_JOURNAL } from './deploymentJournal.ts'

type SendOptions = {
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
  /** How long a transaction may take to be mined before it is replaced at higher fees. */
  replaceMs?: number | undefined
  /** Whether nothing else sends from the account, so that what is pending under the nonce is obsolete; by default, no. */
  isAlone?: boolean
  /** Finds the same call of an earlier attempt; by default, there was none. */
  journal?: DeploymentJournal | undefined
  /** What the call is for, in the log. */
  purpose?: string
}

const POLL_MS = 100
/** How long a transaction and its replacements may take to be mined, and then the next block. */
const WAIT_MS = 300_000
const REPLACE_MS = 120_000
/** Other transactions of the account that may take a nonce before this is given up. */
const ATTEMPTS = 3

/**
 * Sends one transaction and waits for its confirmations. Used for deployment, when the outbox is still empty, and for
 * mirrors, which have none.
 *
 * It is in the journal before it is sent. One that an earlier attempt signed is finished instead of signing another one,
 * unless its nonce was used otherwise. One that is not mined in time is replaced at higher fees; each of those that were
 * sent under the nonce may be mined.
 *
 * @throws Error with the contract's reason if it refuses; `CHAIN_UNAVAILABLE` if no transaction is mined in time, or
 * blocks stop.
 */
export async function sendAndWait(
  chain: ChainClient,
  contractCall: ContractCall,
  options: SendOptions,
): Promise<Receipt> {
  const { journal = NO_JOURNAL, purpose } = options
  await journal.renew()
  const callHash = await hashCall(chain, contractCall)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await journal.renew()
    const found = await journal.find(callHash)
    const entry = found ?? (await signAndStore(chain, contractCall, callHash, options))
    const receipt = await settle(chain, callHash, entry, { ...options, isResumed: found !== null })
    if (receipt?.succeeded) {
      const { hash, block, contractAddress } = receipt
      const fields = { purpose, transaction: hash, block, contract: contractAddress ?? undefined }
      journal.log.info(fields, 'a transaction of the deployment is final')
      return receipt
    }
    await journal.remove(callHash)
    if (receipt !== null) throw new Error(`The transaction ${receipt.hash} was reverted`)
  }
  const detail = `other transactions of ${chain.relayerAddress} take its nonces`
  throw apiError('CHAIN_UNAVAILABLE', { detail })
}

async function hashCall(chain: ChainClient, { to, data }: ContractCall): Promise<Hex> {
  const [chainId, genesisHash] = await Promise.all([chain.readChainId(), chain.readGenesisHash()])
  return keccak256(stringToHex(JSON.stringify([chainId, genesisHash, chain.relayerAddress, to, data])))
}

async function signAndStore(
  chain: ChainClient,
  contractCall: ContractCall,
  callHash: Hex,
  { maxFeePerGas, journal = NO_JOURNAL }: SendOptions,
): Promise<JournalEntry> {
  const [simulated, chainId, nonce, block, tip] = await Promise.all([
    chain.simulate(contractCall).catch(reportUnavailable),
    chain.readChainId(),
    chain.readTransactionCount(chain.relayerAddress),
    chain.readHead(),
    chain.readPriorityFee(),
  ])
  if ('refusal' in simulated) throw new Error(`The contract rejected the call: ${simulated.refusal.message}`)
  const fees = proposeFees({ baseFee: block.baseFeePerGas, tip, cap: maxFeePerGas })
  if (fees === null) {
    const [price, highest] = [block.baseFeePerGas, maxFeePerGas].map((wei) => formatGwei(wei))
    throw new Error(
      `Gas costs ${price} gwei, more than the highest fee of ${highest} gwei (RELAYER_MAX_FEE_GWEI, or --max-fee of a mirror)`,
    )
  }
  const gas = (simulated.gas * 5n) / 4n
  const signed = await chain.sign(contractCall, { chainId, nonce, gas, ...fees })
  const entry = { ...signed, nonce, headBlock: block.number, formerHashes: [] }
  await journal.insert(callHash, entry)
  return entry
}

/**
 * Sends a transaction, and its replacements, until one of them is final.
 *
 * @param options.isResumed Whether an earlier attempt signed it, so that its fees may have become too low.
 * @returns The receipt; null if another transaction has used its nonce.
 */
async function settle(
  chain: ChainClient,
  callHash: Hex,
  first: JournalEntry,
  options: SendOptions & { isResumed: boolean },
): Promise<Receipt | null> {
  const { journal = NO_JOURNAL, purpose, replaceMs = REPLACE_MS } = options
  let entry = first
  let mayRaise = options.isResumed || options.isAlone === true
  for (let waitedMs = 0; waitedMs < WAIT_MS; ) {
    const { outcome } = await send(chain, callHash, entry, journal)
    const { hash, nonce } = entry
    journal.log.info({ purpose, transaction: hash, nonce }, 'a transaction of the deployment was sent')
    const isTooCheap = outcome === 'underpriced'
    if (!isTooCheap || !mayRaise) {
      if (isTooCheap && entry === first)
        throw apiError('CHAIN_UNAVAILABLE', { detail: tooCheap(chain, entry) })
      const receipt = await awaitReceipt(chain, entry, options)
      if (receipt !== 'late') return receipt
      waitedMs += replaceMs
    }
    mayRaise = false
    entry = (await replace(chain, callHash, entry, options)) ?? entry
  }
  throw apiError('CHAIN_UNAVAILABLE', {
    detail: `${entry.hash} was not confirmed within ${WAIT_MS / 1000} s`,
  })
}

/** Signs and stores the same call with the same nonce and higher fees; null if they would exceed the cap. */
async function replace(
  chain: ChainClient,
  callHash: Hex,
  entry: JournalEntry,
  { maxFeePerGas: cap, journal = NO_JOURNAL }: SendOptions,
): Promise<JournalEntry | null> {
  const [{ baseFeePerGas: baseFee }, tip] = await Promise.all([chain.readHead(), chain.readPriorityFee()])
  const market: FeeMarket = { baseFee, tip, cap }
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(entry.raw)
  const fees = raiseFees({ maxFeePerGas, maxPriorityFeePerGas }, market)
  if (fees === null) return null
  const { raw, hash } = await chain.signWithFees(entry.raw, fees, chain.relayerAddress)
  const replacement = { ...entry, raw, hash, formerHashes: [...entry.formerHashes, entry.hash] }
  await journal.replace(callHash, replacement)
  return replacement
}

/** Sends what may also be mined already, because only the node knows. */
async function send(
  chain: ChainClient,
  callHash: Hex,
  { raw, nonce, formerHashes }: JournalEntry,
  journal: DeploymentJournal,
): Promise<SendResult> {
  const result = await chain.send(raw)
  if (result.outcome === 'insufficientFunds') {
    throw new Error(`The account ${chain.relayerAddress} cannot pay for its transaction`)
  }
  if (result.outcome === 'nonceTooHigh') {
    const detail = `the node lacks transactions of ${chain.relayerAddress} before nonce ${nonce}`
    throw apiError('CHAIN_UNAVAILABLE', { detail })
  }
  // One that was replaced was not rejected and may be mined.
  if (result.outcome === 'rejected' && formerHashes.length === 0) {
    await journal.remove(callHash)
    throw new Error(`The node rejected the transaction: ${result.message}`)
  }
  return result
}

function tooCheap({ relayerAddress }: ChainClient, { nonce }: JournalEntry): string {
  return `another transaction of ${relayerAddress} with nonce ${nonce} is pending, or the fees are too low`
}

/** Without contracts there is nothing else to do, so a node that cannot estimate is asked again later. */
function reportUnavailable(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw apiError('CHAIN_UNAVAILABLE', { detail: String(error) })
}

/**
 * Returns the receipt once it is final, of whichever transaction under the nonce is mined; null if another one with that
 * nonce is, and `late` if none is in time.
 */
async function awaitReceipt(
  chain: ChainClient,
  { hash, nonce, formerHashes }: JournalEntry,
  { confirmations, replaceMs = REPLACE_MS, journal = NO_JOURNAL }: SendOptions,
): Promise<Receipt | null | 'late'> {
  const readReceipt = async () => {
    const receipts = await Promise.all([hash, ...formerHashes].map((one) => chain.readReceipt(one)))
    return receipts.find((receipt) => receipt !== null) ?? null
  }
  let lastBlock = -1
  let isMined = false
  for (let waited = 0; waited < (isMined ? WAIT_MS : replaceMs); waited += POLL_MS) {
    await journal.renew()
    const [{ number }, receipt] = await Promise.all([chain.readHead(), readReceipt()])
    const finalBlock = number - confirmations + 1
    if (receipt && receipt.block <= finalBlock) return receipt
    if (!receipt && finalBlock >= 0 && number !== lastBlock) {
      await journal.renew()
      const used = await chain.readTransactionCount(chain.relayerAddress, finalBlock)
      // Read again, because it may have been mined between the two answers.
      if (used > nonce && !(await readReceipt())) return null
    }
    isMined = receipt !== null
    if (isMined && number > lastBlock) waited = 0
    lastBlock = number
    await pauseFor(POLL_MS)
  }
  if (!isMined) return 'late'
  throw apiError('CHAIN_UNAVAILABLE', { detail: `no block followed ${hash} within ${WAIT_MS / 1000} s` })
}
