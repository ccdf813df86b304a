import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { PASSKEY_AMR } from './signInByPasskey.ts'

export type RemovePasskeyDeps = HasProvenMoreDeps & {
  passkeys: Pick<PasskeyStore, 'delete'>
  users: Pick<UserStore, 'byId'>
  sessions: Pick<SessionStore, 'endOpenedBy'>
  caches: Pick<AccountCaches, 'sessions'>
  post: Post
  transaction: Db['transaction']
  /** Called when the inputs of the trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type RemovePasskeyInput = { principal: SessionPrincipal; id: string; now: number }

const FRESH_MS = 5 * 60 * 1000

/**
 * Deletes one of the caller's passkeys, even the last: pending approvals then wait for a new one. The owner is notified by
 * mail. The service does not know which passkey opened a session, so all other sessions opened by passkeys end.
 *
 * It needs a recent passkey assertion or, if the passkey is lost, a sign-in within the last five minutes by more than a
 * password: otherwise every passkey would be only as strong as the password. A wallet that an agent names is not more: the
 * agent may hold its key, and could replace the passkey and approve for the owner. It does not matter whose agent it is or
 * whether it is retired, because a session can change both without a passkey.
 *
 * @throws ApiError ELEVATION_REQUIRED, NOT_FOUND.
 */
export async function removePasskey(deps: RemovePasskeyDeps, input: RemovePasskeyInput): Promise<void> {
  const { principal, id, now } = input
  if (!(await hasProvenMore(deps, principal, now))) requireElevation(principal)
  const { userId, sessionId } = principal
  const ended = await deps.transaction(async (trx) => {
    if (!(await deps.passkeys.delete(trx, userId, id))) throw apiError('NOT_FOUND')
    const user = await deps.users.byId(userId, trx)
    if (user?.email) {
      const data = { link: `${deps.post.appUrl}/account` }
      await postMail(deps.post, trx, { template: 'passkey_removed', recipient: user.email, data, now })
    }
    const opened = { userId, amrs: [PASSKEY_AMR], exceptId: sessionId }
    return deps.sessions.endOpenedBy(trx, opened, { at: now, reason: 'sign_in_removed' })
  })
  for (const session of ended) deps.caches.sessions.delete(session)
  await deps.onAccountChanged(userId)
  deps.post.wake()
}

type HasProvenMoreDeps = {
  sessions: Pick<SessionStore, 'live'>
  owners: Pick<OwnerFactsStore, 'isNamedByAgent'>
}

/** Whether the user has just signed in by two factors, or by a wallet that no agent names. Source: RFC 8176 §2. */
async function hasProvenMore(
  { sessions, owners }: HasProvenMoreDeps,
  { sessionId, amr, authenticatedAt }: SessionPrincipal,
  now: number,
): Promise<boolean> {
  if (now - authenticatedAt > FRESH_MS) return false
  if (amr.includes('mfa')) return true
  const address = (await sessions.live(sessionId))?.walletAddress ?? null
  return address !== null && !(await owners.isNamedByAgent(address))
}
