import { type ApiError, apiError } from '../../errors.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { SessionPrincipal } from '../principal.ts'

export type RequireLiveSessionDeps = { sessions: Pick<SessionStore, 'live'> }

/**
 * Requires, in the transaction that creates a credential, that the session has not ended.
 *
 * A password reset may have ended it since the request was authenticated, and the new credential would survive the reset.
 *
 * @throws ApiError UNAUTHENTICATED.
 */
export async function requireLiveSession(
  deps: RequireLiveSessionDeps,
  trx: NonNullable<Parameters<SessionStore['live']>[1]>,
  { sessionId }: Pick<SessionPrincipal, 'sessionId'>,
): Promise<void> {
  if (!(await deps.sessions.live(sessionId, trx))) throw sessionEnded()
}

/** The refusal of an access token whose session has ended. */
export function sessionEnded(): ApiError {
  return apiError('UNAUTHENTICATED', {
    message: 'The session of this access token has ended; sign in again.',
  })
}
