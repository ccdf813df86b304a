import { BaseError, ContractFunctionRevertedError } from 'viem'

/**
 * What a contract refused a call with: `['StaleHead', …values]` for a custom error, `['Error', reason]` for a string.
 *
 * @throws the call's own error when it is no refusal, and an Error when the call succeeds.
 */
export async function refusalOf(call: Promise<unknown>): Promise<unknown[]> {
  try {
    await call
  } catch (error) {
    const revert =
      error instanceof BaseError
        ? error.walk((cause) => cause instanceof ContractFunctionRevertedError)
        : null
    if (!(revert instanceof ContractFunctionRevertedError)) throw error
    return [revert.data?.errorName, ...(revert.data?.args ?? [])]
  }
  throw new Error('the call succeeded')
}
