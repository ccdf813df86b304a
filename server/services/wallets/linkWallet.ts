import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { type RequireLiveSessionDeps, requireLiveSession } from '../accounts/requireLiveSession.ts'
import { notifyNewSignIn, type Post } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireFreshProof } from '../requireFreshProof.ts'
import {
  type CheckSiweMessageDeps,
  type CheckSiweMessageInput,
  checkSiweMessage,
} from './checkSiweMessage.ts'
import { type TakeSiweNonceDeps, takeSiweNonce } from './giveSiweNonce.ts'
import { type MergeWalletAccountDeps, mergeWalletAccount } from './mergeWalletAccount.ts'

export type LinkWalletDeps = TakeSiweNonceDeps &
  RequireLiveSessionDeps & {
    siwe: CheckSiweMessageDeps
    users: Pick<UserStore, 'byId' | 'byWallet' | 'insertWallet' | 'addressesOf'>
    post: Post
    passkeys: Pick<PasskeyStore, 'ofUser'>
    merge: MergeWalletAccountDeps
    caches: Pick<AccountCaches, 'sessions' | 'accounts'>
    /** Called when agents have moved to an account. */
    onAccountChanged(userId: string): Promise<void>
    transaction: Db['transaction']
  }

export type LinkWalletInput = CheckSiweMessageInput & { principal: SessionPrincipal }

/** The result of linking. */
export type LinkedWallet = {
  address: string
  /** `SVC-` identifiers of the agents that moved along. */
  movedAgents: string[]
}

const WALLETS_MAX = 20
const NOTHING_MOVED = { userId: null, movedAgents: [], endedSessions: [], regained: [] }

/**
 * Links a wallet to the signed-in account: from now on it signs in to the account and registers agents for it.
 *
 * The wallet's own account is merged into this one. A wallet is a way to sign in, so it needs a fresh proof, and the owner
 * is notified by mail. Repeating it returns the same answer.
 *
 * If the wallet was revoked, it signs again for the caller's agents and, with a fresh passkey assertion, for those of
 * organisations to whose agents the caller may add keys. Source: docs/decisions/0160.
 *
 * @throws ApiError as `signInByWallet`, also for the wallet's own account; ELEVATION_REQUIRED, INVALID_STATE for a wallet
 * whose account holds more than the wallet, or one wallet too many.
 */
export async function linkWallet(deps: LinkWalletDeps, input: LinkWalletInput): Promise<LinkedWallet> {
  const { principal, now } = input
  const { address, nonce } = await checkSiweMessage(deps.siwe, input)
  const merged = await deps.transaction(async (trx) => {
    await requireLiveSession(deps, trx, principal)
    await requireFreshProof(deps, principal, now, trx)
    await takeSiweNonce(deps, trx, nonce, now)
    const holder = await deps.users.byWallet(trx, address)
    if (holder?.id === principal.userId) return NOTHING_MOVED
    if ((await deps.users.addressesOf(principal.userId, trx)).length >= WALLETS_MAX) {
      throw apiError('INVALID_STATE', { message: `An account has at most ${WALLETS_MAX} wallets.` })
    }
    await notifyNewSignIn(deps, trx, { userId: principal.userId, walletAddress: address, now })
    if (holder) return mergeWalletAccount(deps.merge, trx, { address, from: holder, to: principal, now })
    const { userId, isElevated } = principal
    const wallet = { address, userId, createdAt: now, forOrganizations: isElevated }
    return { ...NOTHING_MOVED, regained: await deps.users.insertWallet(trx, wallet) }
  })
  deps.post.wake()
  for (const sessionId of merged.endedSessions) deps.caches.sessions.delete(sessionId)
  if (merged.userId !== null) deps.caches.accounts.delete(merged.userId)
  for (const userId of new Set([principal.userId, ...merged.regained])) await deps.onAccountChanged(userId)
  return { address, movedAgents: merged.movedAgents }
}
