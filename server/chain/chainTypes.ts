/** Bytes in hexadecimal with prefix `0x`. */
export type Hex = `0x${string}`

/** The part of a block that the service uses. */
export type Block = {
  number: number
  hash: Hex
  /** Unix seconds. */
  timestamp: number
  /** In wei. */
  baseFeePerGas: bigint
}

/** A contract call; `to: null` creates a contract. */
export type ContractCall = { to: Hex | null; data: Hex }

/** An event as it appears in a receipt. */
type EventLog = { address: Hex; topics: readonly Hex[]; data: Hex }

/** The outcome of a transaction that is in a block. */
export type Receipt = {
  hash: Hex
  block: number
  blockHash: Hex
  succeeded: boolean
  /** Fees paid, in wei. */
  cost: bigint
  contractAddress: Hex | null
  logs: readonly EventLog[]
}

/** The transaction and block that emitted an event. */
export type EventPosition = { hash: Hex; block: number; blockHash: Hex }

/**
 * A node's response to a signed transaction.
 *
 * Only `accepted` and `known` mean that the node has it. `nonceTooLow` means that a transaction with this nonce exists,
 * which must then be looked up; `underpriced` means that there may be one, or that the fees are too low for this node;
 * `nonceTooHigh` means that the preceding transactions are missing.
 */
export type SendResult =
  | { outcome: 'accepted' | 'known' | 'nonceTooLow' | 'nonceTooHigh' | 'underpriced' }
  | { outcome: 'insufficientFunds' | 'rejected'; message: string }
