import { buildAgentLinks } from '../buildAgentLinks.ts'
import type { ChainIdentities } from './chainIdentities.ts'

export type ReadChainOwnerDeps = { chain: ChainIdentities; publicUrl: string }

/** What an owner has to know to sign a consent (EIP-712) to the registration of an agent on chain. */
export type ChainOwner = {
  address: string
  /** Decimal. */
  nonce: string
  chainId: number
  identityRegistry: string
  /** `{svcId}` stands for the identifier derived from address and nonce of the signed request. */
  agentUriTemplate: string
}

/**
 * Reads what the owner's next consent has to cover.
 *
 * @throws ApiError CHAIN_UNAVAILABLE. Source: onchain.md "Additions" (`registerFor`).
 */
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
