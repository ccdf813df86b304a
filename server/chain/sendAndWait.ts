import { apiError } from '../errors.ts'
import type { ChainClient } from './chainClient.ts'
import type { ContractCall, Receipt } from './chainTypes.ts'

const POLL_MS = 100
const WAIT_MS = 300_000

/**
 * Sends one transaction and waits for its confirmations. Used for deployment, when the outbox is still empty.
 *
 * @throws Error with the contract's reason if it refuses; `CHAIN_UNAVAILABLE` if the transaction is not mined in time.
 */
export async function sendAndWait(
  chain: ChainClient,
  contractCall: ContractCall,
  { confirmations, maxFeePerGas }: { confirmations: number; maxFeePerGas: bigint },
): Promise<Receipt> {
  const [simulated, chainId, nonce, block, tip] = await Promise.all([
    chain.simulate(contractCall),
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
  const { raw, hash } = await chain.sign(contractCall, {
    chainId,
    nonce,
    gas: (simulated.gas * 5n) / 4n,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: tip < maxFee ? tip : maxFee,
  })
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
  if (result.outcome === 'rejected') throw new Error(`The node rejected the transaction: ${result.message}`)
  return await awaitReceipt(chain, hash, confirmations)
}

async function awaitReceipt(
  chain: ChainClient,
  hash: `0x${string}`,
  confirmations: number,
): Promise<Receipt> {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    const [{ number }, receipt] = await Promise.all([chain.readHead(), chain.readReceipt(hash)])
    if (receipt && !receipt.succeeded) throw new Error(`The transaction ${hash} was reverted`)
    if (receipt && number - receipt.block + 1 >= confirmations) return receipt
    await new Promise((resume) => setTimeout(resume, POLL_MS))
  }
  throw apiError('CHAIN_UNAVAILABLE', { detail: `${hash} was not confirmed within ${WAIT_MS / 1000} s` })
}
