/** An agent of another ERC-8004 registry: its registry as CAIP-10, and its token. */
export type ForeignName = {
  /** `eip155:<chain id>:<address>`, in lower case. */
  agentRegistry: string
  chainId: number
  /** Address of the identity registry, in lower case. */
  registry: `0x${string}`
  /** Number of the token, at most 2^53 - 1. */
  agentId: number
}

const NAME = /^eip155:([1-9]\d{0,15}):(0x[0-9a-f]{40})\/(0|[1-9]\d{0,15})$/

/**
 * Parses `eip155:<chain id>:<registry>/<agentId>`; null for anything else.
 *
 * The address may have any case, so that one agent has one name. Source: CAIP-10; EIP-8004 "Identity Registry".
 */
export function parseForeignName(text: string): ForeignName | null {
  const [, chain, registry, agent] = NAME.exec(text.trim().toLowerCase()) ?? []
  const [chainId, agentId] = [Number(chain), Number(agent)]
  if (!Number.isSafeInteger(chainId) || !Number.isSafeInteger(agentId)) return null
  return {
    agentRegistry: `eip155:${chain}:${registry}`,
    chainId,
    registry: registry as `0x${string}`,
    agentId,
  }
}

/** Writes the name of a foreign agent in its only spelling. */
export function writeForeignName({ agentRegistry, agentId }: Pick<ForeignName, 'agentRegistry' | 'agentId'>) {
  return `${agentRegistry}/${agentId}`
}
