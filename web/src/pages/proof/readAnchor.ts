import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { askNode } from './askNode.ts'

/** `keccak256("BatchAnchored(bytes32,uint64,uint64,uint64,bytes32)")`. Source: contracts/interfaces/IAuditLog.sol. */
export const BATCH_ANCHORED = '0x47b0cdf4542d8012fb69663b8614aa4ac108ab583cb2b5a921e71e80db50299f'

/** What the chain says about the batch of a proof. */
export type AnchorReading =
  /** `blocksAfter` counts the blocks after that of the batch; `time` is that of its block. */
  { isAnchored: true; time: Date; blocksAfter: number } | { isAnchored: false; reason: string }

type Log = { address: string; topics: readonly string[]; data: string }

/**
 * Asks a node of the chain, without the service, whether the batch of a proof was anchored as the proof says.
 *
 * The receipt of the transaction is enough: the contract extends a log only with a proof of consistency, so every later head
 * contains this batch, too. Whether it is the right contract has to be known from elsewhere.
 *
 * @throws Error if the node does not answer, or is behind the block of the batch.
 *
 * Source: docs/auditing.md, sections 4 and 11.
 */
export async function readAnchor(rpcUrl: string, proof: ProofDocument): Promise<AnchorReading> {
  const block = `0x${proof.blockNumber.toString(16)}`
  const [chainId, newest, receipt, header] = await Promise.all([
    askNode(rpcUrl, 'eth_chainId'),
    askNode(rpcUrl, 'eth_blockNumber'),
    askNode(rpcUrl, 'eth_getTransactionReceipt', proof.transactionHash),
    askNode(rpcUrl, 'eth_getBlockByNumber', block, false),
  ])
  if (Number(chainId) !== proof.chainId) {
    return refuse(`the node is one of chain ${Number(chainId)}, the proof is for chain ${proof.chainId}`)
  }
  if (!isObject(receipt) || !isObject(header)) {
    if (Number(newest) < proof.blockNumber) throw new Error('the node does not have the block yet')
    return refuse('the chain does not know the transaction')
  }
  if (receipt.status !== '0x1') return refuse('the transaction failed')
  if (Number(receipt.blockNumber) !== proof.blockNumber) {
    return refuse(`the transaction is in block ${Number(receipt.blockNumber)}, not ${proof.blockNumber}`)
  }
  const logs = Array.isArray(receipt.logs) ? receipt.logs.filter(isLog) : []
  const anchored = logs.find((log) => isOfBatch(log, proof))
  if (anchored === undefined) return refuse('the transaction did not anchor this batch of this log')
  const [, size, root] = [0, 1, 2].map((at) => anchored.data.slice(2 + at * 64, 66 + at * 64))
  if (Number(`0x${size}`) !== proof.treeSize || `0x${root}` !== proof.root) {
    return refuse('the chain has another root or size for this batch')
  }
  return {
    isAnchored: true,
    time: new Date(Number(header.timestamp) * 1000),
    blocksAfter: Math.max(0, Number(newest) - proof.blockNumber),
  }
}

function isOfBatch({ address, topics }: Log, { contract, logId, batch }: ProofDocument): boolean {
  return (
    address.toLowerCase() === contract.toLowerCase() &&
    topics[0] === BATCH_ANCHORED &&
    topics[1] === logId &&
    Number(topics[2]) === batch
  )
}

function refuse(reason: string): AnchorReading {
  return { isAnchored: false, reason }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isLog(value: unknown): value is Log {
  return (
    isObject(value) &&
    typeof value.address === 'string' &&
    typeof value.data === 'string' &&
    Array.isArray(value.topics)
  )
}
