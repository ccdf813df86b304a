import type { SigningAccount } from '@svc/core/contract/agentKeys.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { AgentToken, TokenStore } from '../../../store/agents/tokenStore.ts'
import { type IsHeldForOwnerDeps, isHeldForOwner } from '../token/isHeldForOwner.ts'

export type ListSigningAccountsDeps = {
  owners: Pick<OwnerFactsStore, 'walletsOf'> & IsHeldForOwnerDeps['owners']
  tokens: Pick<TokenStore, 'bySvcId'>
}

/**
 * Lists the Ethereum accounts whose signatures are the agent’s, in lower case: the wallets that its owner has linked now,
 * the account that signed its registration, and the `agentWallet` of its token while the token is held for the owner.
 *
 * A wallet that the owner has unlinked is none of them, whatever it registered and wherever the chain names it. A wallet
 * opens the account of a person, so those of members do not sign for the agents of an organisation. Neither does the
 * relayer, which a token in custody names because it minted it.
 *
 * @param reader The transaction to read in, if there is one.
 * @returns `own`: without the wallets that are only linked. What a stranger presents is compared only with these, or they
 *   would learn which wallets an owner has. `sources`: each account once, with why it signs.
 *
 * Source: docs/decisions/0119, docs/decisions/0148.
 */
export async function listSigningAccounts(
  { owners, tokens }: ListSigningAccountsDeps,
  { svcId, ownerId, signerAddress }: Pick<AgentRow, 'svcId' | 'ownerId' | 'signerAddress'>,
  reader?: Parameters<TokenStore['bySvcId']>[1],
): Promise<{ accounts: string[]; own: string[]; sources: SigningAccount[] }> {
  const [known, token] = await Promise.all([owners.walletsOf(ownerId, reader), tokens.bySvcId(svcId, reader)])
  const { linked, unlinked } = known
  const wallets = ownerId.startsWith('SVCD-') ? linked : []
  const owner = { ownerId, signerAddress, wallets: known }
  const isNamed = token?.wallet != null && (await isHeldForOwner({ owners }, owner, token, reader))
  const named: [string | null, SigningAccount['source']][] = [
    [signerAddress, 'registration'],
    [isNamed ? walletOf(token) : null, 'agent_wallet'],
  ]
  const sources = new Map<string, SigningAccount>()
  for (const address of wallets) sources.set(address, { address, source: 'linked_wallet' })
  const own: string[] = []
  for (const [given, source] of named) {
    const address = given?.toLowerCase()
    if (address === undefined || unlinked.includes(address)) continue
    own.push(address)
    if (!sources.has(address)) sources.set(address, { address, source })
  }
  return { accounts: [...sources.keys()], own, sources: [...sources.values()] }
}

function walletOf({ custody, holder, wallet }: AgentToken): string | null {
  return custody === 'registry' && wallet?.toLowerCase() === holder.toLowerCase() ? null : wallet
}
