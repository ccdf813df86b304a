import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { PASSKEY_AMR } from './signInByPasskey.ts'

export type RemovePasskeyDeps = {
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
/** `amr` values stronger than a password. Source: RFC 8176 §2. */
const STRONG = ['pop', 'mfa']

/**
 * Deletes one of the caller's passkeys, even the last: pending approvals then wait for a new one. The owner is notified by
 * mail. The service does not know which passkey opened a session, so all other sessions opened by passkeys end.
 *
 * It needs a recent passkey assertion or, if the passkey is lost, a sign-in within the last five minutes by more than a
 * password: otherwise every passkey would be only as strong as the password.
 *
 * @throws ApiError ELEVATION_REQUIRED, NOT_FOUND.
 */
export async function removePasskey(deps: RemovePasskeyDeps, input: RemovePasskeyInput): Promise<void> {
  const { principal, id, now } = input
  if (!hasJustSignedIn(principal, now)) requireElevation(principal)
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

function hasJustSignedIn({ amr, authenticatedAt }: SessionPrincipal, now: number): boolean {
  return now - authenticatedAt <= FRESH_MS && STRONG.some((method) => amr.includes(method))
}
