import type { ForeignToken } from '../../chain/foreignChain.ts'
import type { Adoption } from '../../store/agents/adoptionStore.ts'

/** The token of an adopted agent, as stored. */
export type AdoptedToken = Pick<Adoption, 'owner' | 'adoptedBlock' | 'wallet' | 'walletBlock'>

/**
 * What a reading says that the stored token does not: that it was transferred, or that its wallet is another one or was not
 * read before. `behind`: it names another owner, but was read no later than the adoption.
 */
export type TokenChange = 'none' | 'behind' | 'transferred' | 'wallet'

/**
 * Compares the token of an adopted agent with what was read of it. A wallet that was read no later than the stored one says
 * nothing: the node of this process, or its cache, may be behind that of another.
 */
export function compareToken(
  stored: AdoptedToken,
  { owner, wallet, block }: Pick<ForeignToken, 'owner' | 'wallet' | 'block'>,
): TokenChange {
  if (owner !== stored.owner) return block <= stored.adoptedBlock ? 'behind' : 'transferred'
  if (stored.walletBlock === null) return 'wallet'
  return wallet !== stored.wallet && block > stored.walletBlock ? 'wallet' : 'none'
}
