import { apiError } from '../../errors.ts'
import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import type { SessionPrincipal } from '../principal.ts'

export type EndSessionDeps = {
  sessions: Pick<SessionStore, 'endOwn'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'sessions'>
}

export type EndSessionInput = { principal: SessionPrincipal; id: string; now: number }

/**
 * Ends one of the caller's sessions; requests that begin after the response are refused.
 *
 * @throws ApiError NOT_FOUND for another account's session or one that has ended.
 */
export async function endSession(
  deps: EndSessionDeps,
  { principal, id, now }: EndSessionInput,
): Promise<void> {
  const own = { id, userId: principal.userId }
  const end = { at: now, reason: 'ended_elsewhere' } as const
  if (!(await deps.transaction((trx) => deps.sessions.endOwn(trx, own, end)))) throw apiError('NOT_FOUND')
  deps.caches.sessions.delete(id)
}

export type EndAllSessionsDeps = {
  sessions: Pick<SessionStore, 'endOfUser'>
  interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'sessions'>
}

export type EndAllSessionsInput = { principal: SessionPrincipal; now: number }

/**
 * Ends all sessions of the caller, including this one, and pending second-factor sign-ins; returns the number of ended
 * sessions.
 */
export async function endAllSessions(
  deps: EndAllSessionsDeps,
  { principal, now }: EndAllSessionsInput,
): Promise<number> {
  const { userId } = principal
  const ended = await deps.transaction(async (trx) => {
    await deps.interimSignIns.deleteOfUser(trx, userId)
    return deps.sessions.endOfUser(trx, userId, { at: now, reason: 'signed_out_everywhere' })
  })
  for (const sessionId of ended) deps.caches.sessions.delete(sessionId)
  return ended.length
}
