import { BaseError, isHash, isHex, keccak256, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import type { Hex, Receipt, SendResult } from './chainTypes.ts'
import { isTransportFailure } from './nodeFailure.ts'

/**
 * Reads the receipt of a transaction; null until a block contains it.
 *
 * @throws Error if the node returns something else, which would otherwise look like a transaction without a block.
 */
export async function readReceipt(node: PublicClient, hash: Hex): Promise<Receipt | null> {
  try {
    const receipt = await node.getTransactionReceipt({ hash })
    // Taken as the node wrote them: some nodes have receipts for pending transactions, and some write hashes in upper case.
    const { transactionHash, blockHash, status } = receipt
    const blockNumber = receipt.blockNumber as bigint | null
    if (isSameHash(transactionHash, hash) && blockNumber === null) return null
    if (!isSameHash(transactionHash, hash) || blockNumber === null || !isHash(blockHash) || !status) {
      throw new Error(`the node returned something other than the receipt of ${hash}`)
    }
    return {
      hash,
      block: Number(blockNumber),
      blockHash,
      succeeded: status === 'success',
      cost: receipt.gasUsed * receipt.effectiveGasPrice + dataFeeOf(receipt),
      contractAddress: receipt.contractAddress ?? null,
      logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
    }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

/** What a rollup charges apart from gas, for publishing the transaction's data. Source: OP Stack, receipts, `l1Fee`. */
function dataFeeOf(receipt: object): bigint {
  const fee: unknown = 'l1Fee' in receipt ? receipt.l1Fee : undefined
  return typeof fee === 'bigint' || isHex(fee) ? BigInt(fee) : 0n
}

/**
 * Sends a signed transaction to a node.
 *
 * @throws Error if the node returns anything but the transaction's hash: whether it has the transaction is then
 * unknown, and only a receipt can tell.
 */
export async function sendRaw(node: PublicClient, raw: Hex): Promise<SendResult> {
  const hash = keccak256(raw)
  try {
    const returned: unknown = await node.sendRawTransaction({ serializedTransaction: raw })
    if (!isSameHash(returned, hash)) throw new Error(`the node did not return the hash of ${hash}`)
    return { outcome: 'accepted' }
  } catch (error) {
    return await outcomeOf(node, hash, error)
  }
}

function isSameHash(returned: unknown, hash: Hex): boolean {
  return typeof returned === 'string' && returned.toLowerCase() === hash
}

/**
 * Fees that a node finds too low, as geth and its forks, Erigon, Nethermind, Besu, Reth and Hardhat say it. A limit on gas
 * itself ("intrinsic gas too low") is not one.
 */
const FEE_TOO_LOW =
  /underpriced|feetoolow|replacementnotallowed|could not replace|(fee|fees|tip|gas ?price|fee ?per ?gas|fee ?cap|tip ?cap)\b.*\b(too low|below|less than|lower than|minimum)\b/

/** Nodes have no codes for these outcomes, so this matches the messages of common nodes. */
async function outcomeOf(node: PublicClient, hash: Hex, error: unknown): Promise<SendResult> {
  if (!(error instanceof BaseError)) throw error
  const text = `${error.shortMessage} ${error.details ?? ''}`.toLowerCase()
  if (/already known|already imported|\bknown transaction/.test(text)) return { outcome: 'known' }
  if (/nonce (is )?too low|oldnonce/.test(text)) return { outcome: 'nonceTooLow' }
  if (/nonce (is )?too high|noncegap/.test(text)) return { outcome: 'nonceTooHigh' }
  if (/insufficient ?funds|enough funds|exceeds account balance/.test(text))
    return { outcome: 'insufficientFunds', message: text }
  if (FEE_TOO_LOW.test(text)) return { outcome: 'underpriced' }
  // A node that mines immediately reports the revert of a transaction that it accepted.
  const known = await node.getTransaction({ hash }).catch(() => null)
  if (isSameHash(known?.hash, hash)) return { outcome: 'known' }
  if (isTransportFailure(error)) throw error
  return { outcome: 'rejected', message: text.slice(0, 300) }
}
