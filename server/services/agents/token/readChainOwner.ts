import { buildAgentLinks } from '../buildAgentLinks.ts'
import type { ChainIdentities } from './chainIdentities.ts'

export type ReadChainOwnerDeps = { chain: ChainIdentities; publicUrl: string }

/** What an owner needs to sign a consent (EIP-712) to on-chain registration. */
export type ChainOwner = {
  address: string
  /** Decimal. */
  nonce: string
  chainId: number
  identityRegistry: string
  /** `{svcId}` stands for the identifier derived from the address and the nonce of the signed request. */
  agentUriTemplate: string
}

/** Reads what the owner's next consent must cover. @throws ApiError CHAIN_UNAVAILABLE. Source: docs/agents.md. */
export async function readChainOwner(
  deps: ReadChainOwnerDeps,
  input: { address: `0x${string}` },
): Promise<ChainOwner> {
  const { address } = input
  const { chainId, identityRegistry } = await deps.chain.deployment()
  const nonce = String(await deps.chain.ownerNonce(address))
  const agentUriTemplate = buildAgentLinks(deps.publicUrl, '{svcId}').registrationFileUrl
  return { address, nonce, chainId, identityRegistry, agentUriTemplate }
}
