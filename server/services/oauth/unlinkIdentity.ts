import { apiError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireElevation } from '../requireElevation.ts'
import { type RequireAnotherSignInDeps, requireAnotherSignIn } from '../signIn/requireAnotherSignIn.ts'

export type UnlinkIdentityDeps = RequireAnotherSignInDeps & {
  identities: Pick<LinkedIdentityStore, 'ofUser' | 'delete'>
  sessions: Pick<SessionStore, 'endOpenedBy'>
  caches: Pick<AccountCaches, 'sessions'>
  interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
  transaction: Db['transaction']
}

export type UnlinkIdentityInput = { principal: SessionPrincipal; id: string; now: number }

/** `amr` of sessions opened by an identity, without and with a code of an authenticator app. */
const AMRS = [['fed'], ['fed', 'otp', 'mfa']]

/**
 * Unlinks an identity from the caller's account, with a recent passkey assertion if the account has a passkey, as for
 * linking.
 *
 * The last way to sign in stays: a password, passkey, wallet or other identity must remain. The service does not know which
 * identity opened a session, so all other sessions opened by identities end.
 *
 * @throws ApiError NOT_FOUND, INVALID_STATE, ELEVATION_REQUIRED.
 */
export async function unlinkIdentity(
  deps: UnlinkIdentityDeps,
  { principal, id, now }: UnlinkIdentityInput,
): Promise<void> {
  const { userId, sessionId } = principal
  const endedSessions = await deps.transaction(async (trx) => {
    const present = await deps.identities.ofUser(userId, trx)
    if (!present.some((identity) => identity.id === id)) throw apiError('NOT_FOUND')
    if ((await deps.passkeys.ofUser(userId, trx)).length > 0) requireElevation(principal)
    await requireAnotherSignIn(deps, trx, userId)
    await deps.interimSignIns.deleteOfUser(trx, userId)
    await deps.identities.delete(trx, userId, id)
    const opened = { userId, amrs: AMRS, exceptId: sessionId }
    return deps.sessions.endOpenedBy(trx, opened, { at: now, reason: 'sign_in_removed' })
  })
  for (const ended of endedSessions) deps.caches.sessions.delete(ended)
}
