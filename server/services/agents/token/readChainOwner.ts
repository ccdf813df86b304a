import type { ResultOf } from '@svc/core/contract/operations.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'
import type { ChainIdentities } from './chainIdentities.ts'

export type ReadChainOwnerDeps = { chain: ChainIdentities; publicUrl: string }

/** What an owner needs to sign a consent (EIP-712) to on-chain registration. */
export type ChainOwner = ResultOf<'GET /api/chain/owners/:address'>

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
