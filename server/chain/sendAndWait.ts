import { setTimeout as pauseFor } from 'node:timers/promises'
import { keccak256, stringToHex } from 'viem'
import { ApiError, apiError } from '../errors.ts'
import type { ChainClient } from './chainClient.ts'
import type { ContractCall, Hex, Receipt } from './chainTypes.ts'
import { type DeploymentJournal, type JournalEntry, NO_JOURNAL } from './deploymentJournal.ts'

type SendOptions = {
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
  /** Finds the same call of an earlier attempt; by default, there was none. */
  journal?: DeploymentJournal | undefined
  /** What the call is for, in the log. */
  purpose?: string
}

const POLL_MS = 100
/** How long a transaction may take to be mined, and then the next block. */
const WAIT_MS = 300_000
/** Other transactions of the account that may take a nonce before this is given up. */
const ATTEMPTS = 3

/**
 * Sends one transaction and waits for its confirmations. Used for deployment, when the outbox is still empty.
 *
 * It is in the journal before it is sent. One that an earlier attempt signed is finished instead of signing another one,
 * unless its nonce was used otherwise.
 *
 * @throws Error with the contract's reason if it refuses; `CHAIN_UNAVAILABLE` if the transaction is not mined in time, or
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
    const entry =
      (await journal.find(callHash)) ?? (await signAndStore(chain, contractCall, callHash, options))
    const { hash, nonce } = entry
    const rejected = await send(chain, entry)
    if (rejected !== null) {
      await journal.remove(callHash)
      throw new Error(`The node rejected the transaction: ${rejected}`)
    }
    journal.log.info({ purpose, transaction: hash, nonce }, 'a transaction of the deployment was sent')
    const receipt = await awaitReceipt(chain, entry, options)
    if (receipt?.succeeded) {
      const { block, contractAddress } = receipt
      const fields = { purpose, transaction: hash, block, contract: contractAddress ?? undefined }
      journal.log.info(fields, 'a transaction of the deployment is final')
      return receipt
    }
    await journal.remove(callHash)
    if (receipt !== null) throw new Error(`The transaction ${hash} was reverted`)
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
  const wanted = 2n * block.baseFeePerGas + tip
  const maxFee = wanted < maxFeePerGas ? wanted : maxFeePerGas
  if (maxFee < block.baseFeePerGas) {
    throw new Error(`Gas costs ${block.baseFeePerGas} wei, more than RELAYER_MAX_FEE_GWEI allows`)
  }
  const signed = await chain.sign(contractCall, {
    chainId,
    nonce,
    gas: (simulated.gas * 5n) / 4n,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: tip < maxFee ? tip : maxFee,
  })
  const entry = { ...signed, nonce, headBlock: block.number }
  await journal.insert(callHash, entry)
  return entry
}

/** Sends what may also be mined already, because only the node knows. Returns why the node rejects it, or null. */
async function send(chain: ChainClient, { raw, nonce }: JournalEntry): Promise<string | null> {
  const result = await chain.send(raw)
  if (result.outcome === 'insufficientFunds') {
    throw new Error(`The account ${chain.relayerAddress} cannot pay for the deployment`)
  }
  if (result.outcome === 'underpriced') {
    const detail = `another transaction of ${chain.relayerAddress} with nonce ${nonce} is pending, or the fees are too low`
    throw apiError('CHAIN_UNAVAILABLE', { detail })
  }
  if (result.outcome === 'nonceTooHigh') {
    const detail = `the node lacks transactions of ${chain.relayerAddress} before nonce ${nonce}`
    throw apiError('CHAIN_UNAVAILABLE', { detail })
  }
  return result.outcome === 'rejected' ? result.message : null
}

/** Without contracts there is nothing else to do, so a node that cannot estimate is asked again later. */
function reportUnavailable(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw apiError('CHAIN_UNAVAILABLE', { detail: String(error) })
}

/** Returns the receipt once it is final, or null if another transaction with its nonce is. */
async function awaitReceipt(
  chain: ChainClient,
  { hash, nonce }: JournalEntry,
  { confirmations, journal = NO_JOURNAL }: SendOptions,
): Promise<Receipt | null> {
  let lastBlock = -1
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    await journal.renew()
    const [{ number }, receipt] = await Promise.all([chain.readHead(), chain.readReceipt(hash)])
    const finalBlock = number - confirmations + 1
    if (receipt && receipt.block <= finalBlock) return receipt
    if (!receipt && finalBlock >= 0 && number !== lastBlock) {
      await journal.renew()
      const used = await chain.readTransactionCount(chain.relayerAddress, finalBlock)
      // Read again, because it may have been mined between the two answers.
      if (used > nonce && !(await chain.readReceipt(hash))) return null
    }
    if (receipt && number > lastBlock) waited = 0
    lastBlock = number
    await pauseFor(POLL_MS)
  }
  throw apiError('CHAIN_UNAVAILABLE', { detail: `${hash} was not confirmed within ${WAIT_MS / 1000} s` })
}
