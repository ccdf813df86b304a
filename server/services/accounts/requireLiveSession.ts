import { apiError } from '../../errors.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type RequireLiveSessionDeps = { sessions: Pick<SessionStore, 'live'> }

/**
 * Checks, in the transaction that makes a credential, that the session it is made in goes on.
 *
 * A reset may have ended it since the request was let in, and what is made after that would outlive what the reset removes.
 *
 * @throws ApiError UNAUTHENTICATED.
 */
export async function requireLiveSession(
  deps: RequireLiveSessionDeps,
  trx: NonNullable<Parameters<SessionStore['live']>[1]>,
  { sessionId }: Pick<SessionPrincipal, 'sessionId'>,
): Promise<void> {
  if (!(await deps.sessions.live(sessionId, trx))) throw apiError('UNAUTHENTICATED')
}
