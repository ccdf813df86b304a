type Hex = `0x${string}`

/** One batch of a log, from the chain's events. */
export type AnchoredBatch = {
  number: number
  prevSize: number
  newSize: number
  root: Hex
  transactionHash: Hex
  blockNumber: number
}
