/** Bytes as hexadecimal with `0x`. */
export type Hex = `0x${string}`

/** A block as far as the service needs one. */
export type Block = {
  number: number
  hash: Hex
  /** Unix seconds. */
  timestamp: number
  /** In wei. */
  baseFeePerGas: bigint
}

/** EIP-1559 fees of a transaction, in wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** A call of a contract; `to` null creates one. */
export type ContractCall = { to: Hex | null; data: Hex }

/** An event as a receipt holds it. */
type EventLog = { address: Hex; topics: readonly Hex[]; data: Hex }

/** What the chain says about a transaction that is in a block. */
export type Receipt = {
  hash: Hex
  block: number
  blockHash: Hex
  succeeded: boolean
  /** What it cost, in wei. */
  cost: bigint
  contractAddress: Hex | null
  logs: readonly EventLog[]
}

/** Where an event is. */
export type EventPosition = { hash: Hex; block: number; blockHash: Hex }

/**
 * What a node said to a transaction.
 *
 * Only `accepted` and `known` promise that it has it; `nonceTooLow` and `underpriced` say that something with this
 * nonce is there, which has to be looked up; `nonceTooHigh` that it wants the ones before it first.
 */
export type SendResult =
  | { outcome: 'accepted' | 'known' | 'nonceTooLow' | 'nonceTooHigh' | 'underpriced' }
  | { outcome: 'insufficientFunds' | 'rejected'; message: string }
