import { parseAbi } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import type { Chain } from '../openChain.ts'

/** Numbers of the accounts of `deployWithAgents`. */
export const ROLES = { OWNER: 0, OPERATOR: 1, APPROVED: 2, OTHER: 3 } as const

/** What receivers of tokens refuse with, which the registry passes on. */
const passedOn = parseAbi([
  'error Unwelcome(uint256 tokenId)',
  'error Error(string reason)',
  'error Panic(uint256 code)',
])

export type RegistryWithAgents = Awaited<ReturnType<typeof deployWithAgents>>

/** A registry with agents 1 and 2 of an owner who has an operator; agent 1 has an approved account too. */
export async function deployWithAgents(chain: Chain) {
  const { abi, bytecode } = identityRegistry
  const registry = await chain.deploy({ abi: [...abi, ...passedOn] as const, bytecode })
  await registry.write.register(['ipfs://one'])
  await registry.write.register()
  await registry.write.setApprovalForAll([chain.account(ROLES.OPERATOR), true])
  await registry.write.approve([chain.account(ROLES.APPROVED), 1n])
  return registry
}
