import { BaseError, isHash, keccak256, type PublicClient, TransactionReceiptNotFoundError } from 'viem'
import type { Hex, Receipt, SendResult } from './chainTypes.ts'
import { isTransportFailure } from './isTransportFailure.ts'

/**
 * The receipt of a transaction; null while it is in no block.
 *
 * @throws Error when what the node answers is no receipt of it: taken at its word, the transaction would be mined
 *   nowhere.
 */
export async function readReceipt(node: PublicClient, hash: Hex): Promise<Receipt | null> {
  try {
    const receipt = await node.getTransactionReceipt({ hash })
    // As the node wrote them: some have receipts of what is in no block yet, and some write hashes in capitals.
    const { transactionHash, blockHash, status } = receipt
    const blockNumber = receipt.blockNumber as bigint | null
    if (isSameHash(transactionHash, hash) && blockNumber === null) return null
    if (!isSameHash(transactionHash, hash) || blockNumber === null || !isHash(blockHash) || !status) {
      throw new Error(`the node answered something else than a receipt of ${hash}`)
    }
    return {
      hash,
      block: Number(blockNumber),
      blockHash,
      succeeded: status === 'success',
      cost: receipt.gasUsed * receipt.effectiveGasPrice,
      contractAddress: receipt.contractAddress ?? null,
      logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
    }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

/**
 * Hands a signed transaction to a node.
 *
 * @throws Error when the node answers anything but the transaction's hash: it may have it or not, and a receipt tells.
 */
export async function sendRaw(node: PublicClient, raw: Hex): Promise<SendResult> {
  const hash = keccak256(raw)
  try {
    const answered: unknown = await node.sendRawTransaction({ serializedTransaction: raw })
    if (!isSameHash(answered, hash)) throw new Error(`the node took ${hash} and did not say its hash`)
    return { outcome: 'accepted' }
  } catch (error) {
    return await answerOf(node, hash, error)
  }
}

function isSameHash(answered: unknown, hash: Hex): boolean {
  return typeof answered === 'string' && answered.toLowerCase() === hash
}

/** Nodes have no codes for these answers, only words; the words of geth and its kin, and of Hardhat. */
async function answerOf(node: PublicClient, hash: Hex, error: unknown): Promise<SendResult> {
  if (!(error instanceof BaseError)) throw error
  const text = `${error.shortMessage} ${error.details ?? ''}`.toLowerCase()
  if (/already known|already imported|known transaction/.test(text)) return { outcome: 'known' }
  if (/nonce (is )?too low|nonce too low|oldnonce/.test(text)) return { outcome: 'nonceTooLow' }
  if (/nonce (is )?too high/.test(text)) return { outcome: 'nonceTooHigh' }
  if (/underpriced|fee too low/.test(text)) return { outcome: 'underpriced' }
  if (/insufficient funds|enough funds/.test(text)) return { outcome: 'insufficientFunds', message: text }
  // A node that mines at once reports the revert of what it took.
  const known = await node.getTransaction({ hash }).catch(() => null)
  if (isSameHash(known?.hash, hash)) return { outcome: 'known' }
  if (isTransportFailure(error)) throw error
  return { outcome: 'rejected', message: text.slice(0, 300) }
}
