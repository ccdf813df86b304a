import type { ProxyAction, RpcRequest } from '../../../harness/chain/openNodeProxy.ts'
import type { Stage } from './openStage.ts'

/** Ways in which a node fails, after "one that". */
export const BAD_ANSWERS: readonly (readonly [name: string, deed: ProxyAction])[] = [
  ['does not answer', 'hang'],
  ['answers with an error of the server', { status: 502, text: '<h1>Bad gateway</h1>' }],
  ['answers that it is asked too often', { status: 429, text: 'slow down' }],
  ['answers with a page', { status: 200, text: '<html>maintenance</html>' }],
  ['answers with nothing', { result: null }],
  ['answers with something else', { result: { nonsense: true } }],
  ['answers with an error', { error: 'header not found' }],
]

/** Responses of a node that has nothing above a block but still forwards transactions. */
export async function asOfBlock(
  { rpc }: Stage,
  block: number,
  { method, params }: RpcRequest,
): Promise<ProxyAction> {
  const at = `0x${block.toString(16)}`
  if (method === 'eth_blockNumber') return { result: at }
  if (method === 'eth_getTransactionReceipt') {
    const receipt = (await rpc(method, params)) as { blockNumber: string } | null
    return receipt && Number(receipt.blockNumber) <= block ? 'pass' : { result: null }
  }
  if (method === 'eth_getBlockByNumber') {
    const [wanted] = params
    if (wanted === 'latest') return { ask: { method, params: [at, false] } }
    return Number(wanted) > block ? { result: null } : 'pass'
  }
  if (method === 'eth_getLogs') {
    const [filter] = params as { toBlock: string }[]
    const toBlock = Number(filter?.toBlock) > block ? at : filter?.toBlock
    return { ask: { method, params: [{ ...filter, toBlock }] } }
  }
  const isOfHead = ['eth_getTransactionCount', 'eth_call', 'eth_estimateGas', 'eth_getBalance', 'eth_getCode']
  if (isOfHead.includes(method)) {
    const past = params[1] !== undefined && Number(params[1]) <= block ? params[1] : at
    return { ask: { method, params: [params[0], past] } }
  }
  return 'pass'
}

/** A block at a height of the chain, on another branch. */
export function forkedBlock(number: string) {
  const hash = `0x${'fe'.repeat(32)}`
  return {
    number,
    hash,
    timestamp: '0x1',
    baseFeePerGas: '0x1',
    transactions: [],
    gasLimit: '0x1',
    gasUsed: '0x0',
  }
}
