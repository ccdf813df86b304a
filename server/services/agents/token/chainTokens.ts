type Hex = `0x${string}`

/** Names a token: its number, and its registry as `eip155:<chain id>:<address>`. */
export type TokenName = { agentId: number; agentRegistry: string }

/** What keeping track of agents' tokens asks of the chain. */
export type ChainTokens = {
  /** Account of the relayer, which holds the tokens in custody. */
  relayer: Hex
  /**
   * A token at the newest block that counts as final; null for one that is not there or of another registry than the
   * service uses now. @throws ApiError CHAIN_UNAVAILABLE.
   */
  read(name: TokenName): Promise<{ owner: Hex; wallet: Hex | null; uri: string; block: number } | null>
  /** Whether the relayer may act for a token that it may not hold. @throws ApiError CHAIN_UNAVAILABLE. */
  mayAct(name: TokenName): Promise<boolean>
  /** Call data of `setAgentURI`, for whoever may sign it. */
  encodeSetUri(agentId: bigint, uri: string): Hex
  /** Call data of ERC-721 `approve`. */
  encodeApprove(spender: Hex, agentId: bigint): Hex
}
