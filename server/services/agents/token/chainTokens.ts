type Hex = `0x${string}`

/** Identifies a token: its number, and its registry as `eip155:<chain id>:<address>`. */
export type TokenName = { agentId: number; agentRegistry: string }

/** What tracking agents' tokens needs from the chain. */
export type ChainTokens = {
  /** The relayer's present account, which owners approve. */
  relayer: Hex
  /** Every account of the relayer; they hold the tokens in custody. */
  relayers: readonly Hex[]
  /**
   * The token at the newest final block; null if it does not exist or belongs to a registry no longer in use. @throws
   * ApiError CHAIN_UNAVAILABLE.
   */
  read(name: TokenName): Promise<{ owner: Hex; wallet: Hex | null; uri: string; block: number } | null>
  /** Whether the relayer is approved for a token that it may not own. @throws ApiError CHAIN_UNAVAILABLE. */
  mayAct(name: TokenName): Promise<boolean>
  /** Call data of `setAgentURI`, for the account that may sign it. */
  encodeSetUri(agentId: bigint, uri: string): Hex
  /** Call data of ERC-721 `approve`. */
  encodeApprove(spender: Hex, agentId: bigint): Hex
}
