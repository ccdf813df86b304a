import type { InterimSignInStore } from '../../store/accounts/interimSignInStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from '../accounts/accountCaches.ts'
import type { SessionPrincipal } from '../principal.ts'

export type EndAllSessionsDeps = {
  sessions: Pick<SessionStore, 'endOfUser'>
  interimSignIns: Pick<InterimSignInStore, 'deleteOfUser'>
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'sessions'>
}

export type EndAllSessionsInput = { principal: SessionPrincipal; now: number }

/** Signs the caller out everywhere, here too, and ends sign-ins that wait for a code; says how many sessions ended. */
export async function endAllSessions(
  deps: EndAllSessionsDeps,
  { principal, now }: EndAllSessionsInput,
): Promise<number> {
  const { userId } = principal
  const ended = await deps.transaction(async (trx) => {
    await deps.interimSignIns.deleteOfUser(trx, userId)
    return deps.sessions.endOfUser(trx, userId, now)
  })
  for (const sessionId of ended) deps.caches.sessions.delete(sessionId)
  return ended.length
}
