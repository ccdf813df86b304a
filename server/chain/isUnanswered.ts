import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'

/**
 * Whether a contract gave no answer to a read: it reverted, or has no such function. The node did its part, so asking
 * again is of no use.
 */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionRevertedError || inner instanceof ContractFunctionZeroDataError,
  )
  return cause !== null
}
