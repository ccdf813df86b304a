import { type Abi, BaseError, ContractFunctionRevertedError, type Log, parseEventLogs } from 'viem'

/** Returns the events of a receipt in order, as `[name, arguments]`. */
export function eventsOf(abi: Abi, receipt: { logs: Log[] }): [string, unknown][] {
  return parseEventLogs({ abi, logs: receipt.logs }).map(({ eventName, args }) => [eventName, args])
}

/**
 * Returns how a contract reverted a call: `['StaleHead', …values]` for a custom error, `['Error', reason]` for a
 * revert string.
 *
 * @throws the call's own error if it is not a revert, and an Error if the call succeeds.
 */
export async function revertOf(call: Promise<unknown>): Promise<unknown[]> {
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
