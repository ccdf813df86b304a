import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
} from 'viem'

/**
 * Whether a contract gave no answer to a read: it reverted, or has no such function. The node did its part, so asking
 * again is of no use.
 *
 * A revert without data, which is what a proxy makes of a function it does not know, has the code -32000 at geth and its
 * kin, and only its words tell it from the node's own failures.
 */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionRevertedError ||
      inner instanceof ContractFunctionZeroDataError ||
      inner instanceof ExecutionRevertedError,
  )
  return cause !== null
}
