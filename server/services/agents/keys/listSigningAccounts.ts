import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { TokenStore } from '../../../store/agents/tokenStore.ts'

export type ListSigningAccountsDeps = {
  owners: Pick<OwnerFactsStore, 'walletsOf'>
  tokens: Pick<TokenStore, 'bySvcId'>
}

/**
 * Lists the Ethereum accounts whose signatures are the agent’s, in lower case: the wallets that its owner has linked now,
 * the account that signed its registration, and the `agentWallet` of its token.
 *
 * A wallet that the owner has unlinked is none of them, whatever it registered and wherever the chain names it. A wallet
 * opens the account of a person, so those of members do not sign for the agents of an organisation.
 *
 * @returns `own`: without the wallets that are only linked. What a stranger presents is compared only with these, or they
 *   would learn which wallets an owner has.
 *
 * Source: docs/decisions/0119.
 */
export async function listSigningAccounts(
  { owners, tokens }: ListSigningAccountsDeps,
  { svcId, ownerId, signerAddress }: Pick<AgentRow, 'svcId' | 'ownerId' | 'signerAddress'>,
): Promise<{ accounts: string[]; own: string[] }> {
  const [{ linked, unlinked }, token] = await Promise.all([owners.walletsOf(ownerId), tokens.bySvcId(svcId)])
  const named = [signerAddress, token?.wallet].flatMap((address) => address?.toLowerCase() ?? [])
  const own = named.filter((address) => !unlinked.includes(address))
  const wallets = ownerId.startsWith('SVCD-') ? linked : []
  return { accounts: [...new Set([...wallets, ...own])], own }
}
