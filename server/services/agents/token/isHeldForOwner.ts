import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { AgentToken, TokenStore } from '../../../store/agents/tokenStore.ts'

export type IsHeldForOwnerDeps = { owners: Pick<OwnerFactsStore, 'isWalletOfAdministrator'> }

/** What is known of an agent's owner: see `walletsOf`. */
type Owned = Pick<AgentRow, 'ownerId' | 'signerAddress'> & {
  wallets: { linked: readonly string[]; unlinked: readonly string[] }
}

/**
 * Whether an agent's token is in custody or held by an account of the agent's owner: a wallet that is linked now, for an
 * organisation by somebody who administers it, or the account that signed the registration.
 *
 * Tokens can be sold, and what their holder says on chain is then not the word of the owner. A wallet that was unlinked and
 * an account that was revoked are nobody's word either, because their keys may be stolen.
 *
 * @param reader The transaction to read in, if there is one.
 *
 * Source: docs/decisions/0148.
 */
export async function isHeldForOwner(
  { owners }: IsHeldForOwnerDeps,
  { ownerId, signerAddress, wallets }: Owned,
  token: Pick<AgentToken, 'custody' | 'holder'>,
  reader?: Parameters<TokenStore['bySvcId']>[1],
): Promise<boolean> {
  if (token.custody === 'registry') return true
  const holder = token.holder.toLowerCase()
  if (wallets.unlinked.includes(holder)) return false
  if (holder === signerAddress?.toLowerCase()) return true
  return ownerId.startsWith('SVCO-')
    ? owners.isWalletOfAdministrator(ownerId, holder, reader)
    : wallets.linked.includes(holder)
}
