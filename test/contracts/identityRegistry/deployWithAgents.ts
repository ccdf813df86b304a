import { parseAbi } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import type { Chain } from '../openChain.ts'

/** Account numbers of the roles that `deployWithAgents` sets up. */
export const ROLES = { OWNER: 0, OPERATOR: 1, APPROVED: 2, OTHER: 3 } as const

/** Errors of token receivers, which the registry passes on. */
const receiverErrors = parseAbi([
  'error Unwelcome(uint256 tokenId)',
  'error Error(string reason)',
  'error Panic(uint256 code)',
])

export type RegistryWithAgents = Awaited<ReturnType<typeof deployWithAgents>>

/** Deploys a registry with agents 1 and 2 of an owner with an operator; agent 1 also has an approved account. */
export async function deployWithAgents(chain: Chain) {
  const { abi, bytecode } = identityRegistry
  const registry = await chain.deploy({ abi: [...abi, ...receiverErrors] as const, bytecode })
  await registry.write.register(['ipfs://one'])
  await registry.write.register()
  await registry.write.setApprovalForAll([chain.account(ROLES.OPERATOR), true])
  await registry.write.approve([chain.account(ROLES.APPROVED), 1n])
  return registry
}
