import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  HttpRequestError,
  isHex,
  LimitExceededRpcError,
  RpcRequestError,
  TimeoutError,
} from 'viem'

/** A node does not have the blocks yet that it was asked about; another one behind the same address may. */
export class NodeLags extends Error {
  constructor(head: number, wanted: number) {
    super(`the node is at block ${head}, and has no events up to block ${wanted} yet`)
  }
}

/**
 * Whether a call failed on its way to the node, or reached one that lags, and may succeed on retry. A revert or an invalid
 * response does not count.
 */
export function isTransportFailure(error: unknown): boolean {
  if (error instanceof NodeLags) return true
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof HttpRequestError ||
      inner instanceof TimeoutError ||
      inner instanceof LimitExceededRpcError,
  )
  if (!(cause instanceof HttpRequestError) || cause.status === undefined) return cause !== null
  return cause.status === 429 || cause.status >= 500
}

/** Error code of a revert in nodes that follow the JSON-RPC specification. */
const REVERT_CODE = 3
/** Messages for a failed execution from geth and its forks, Erigon, Nethermind, Besu and Hardhat. */
const EXECUTION_FAILED =
  /revert|out of gas|outofgas|gas required exceeds|gas estimation limit|transaction execution fail|(bad|invalid) (opcode|instruction|jump)|stack (under|over)flow|stack limit|stack too (deep|small)|write protection|return ?data out of bounds|vm (execution|exception)/i

/**
 * Whether a contract returned no result for a read: it reverted, ran out of gas, or lacks the function. The node
 * itself worked, so a retry is pointless.
 *
 * A revert without data, such as that of a proxy for an unknown function, has code -32000 in geth and its forks; only
 * the message distinguishes it from the node's own failures. viem's `ContractFunctionRevertedError` is ignored, because
 * viem also throws it for every -32603, an internal error of the node.
 */
export function isContractFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionZeroDataError ||
      inner instanceof ExecutionRevertedError ||
      (inner instanceof RpcRequestError && isExecutionFailure(inner)),
  )
  return cause !== null
}

/**
 * Returns what a contract answers to a read, or null if it refuses: then it has nothing to say. A failing node is an error.
 *
 * @param isRefusal Which failures are the contract’s.
 */
export async function orNull<T>(reading: Promise<T>, isRefusal = isContractFailure): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/**
 * Whether a contract refused a read with a reason. One without a reason may be a call that ran out of gas, or a proxy
 * without its contract, so it says nothing about what was asked.
 */
export function isRevertWithReason(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk((inner) => inner instanceof ContractFunctionRevertedError)
  return cause instanceof ContractFunctionRevertedError && isHex(cause.raw) && cause.raw !== '0x'
}

/** Whether a node says in words that an execution failed. */
export function saysExecutionFailed(text: string): boolean {
  return EXECUTION_FAILED.test(text)
}

function isExecutionFailure({ code, data, details }: RpcRequestError): boolean {
  return code === REVERT_CODE || isHex(data) || saysExecutionFailed(details)
}
