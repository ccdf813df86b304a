import { type Address, parseAbi } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { validationRegistry } from '../../../server/chain/artifacts/validationRegistry.ts'
import type { Chain } from '../openChain.ts'
import { validationRegistryAbi } from './validationRegistryAbi.ts'

/** What the identity registry answers through it. */
const passedOn = parseAbi(['error ERC721NonexistentToken(uint256 tokenId)', 'error Error(string reason)'])

/** A registry about agents 1 and 2 of account 0, whose operator is account 1; account 2 is approved for agent 1. */
export async function deployValidationRegistry(chain: Chain) {
  const identities = await chain.deploy(identityRegistry)
  await identities.write.register()
  await identities.write.register()
  await identities.write.setApprovalForAll([chain.account(1), true])
  await identities.write.approve([chain.account(2), 1n])
  return deployValidationRegistryOf(chain, identities.address)
}

/** A registry about the agents of this one. */
export async function deployValidationRegistryOf(chain: Chain, identityRegistryAddress: Address) {
  const artifact = {
    abi: [...validationRegistryAbi, ...passedOn] as const,
    bytecode: validationRegistry.bytecode,
  }
  return chain.deploy(artifact, [identityRegistryAddress])
}
