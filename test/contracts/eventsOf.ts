import { type Abi, type Log, parseEventLogs } from 'viem'

/** The events of a receipt in their order, as `[name, arguments]`. */
export function eventsOf(abi: Abi, receipt: { logs: Log[] }): [string, unknown][] {
  return parseEventLogs({ abi, logs: receipt.logs }).map(({ eventName, args }) => [eventName, args])
}
