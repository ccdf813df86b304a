import { apiError } from '../../errors.ts'
import type { AccessTokens } from '../../external/tokens/accessTokens.ts'
import type { ElevationTokens } from '../../external/tokens/elevationTokens.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AccountCaches } from './accountCaches.ts'
import { sessionEnded } from './requireLiveSession.ts'

export type AuthenticateAccessTokenDeps = {
  tokens: Pick<AccessTokens, 'verify'>
  elevations: Pick<ElevationTokens, 'verify'>
  passkeys: Pick<PasskeyStore, 'ofUser'>
  caches: Pick<AccountCaches, 'sessions' | 'accounts'>
}

const EXPIRED = 'The access token has expired: refresh the session, or sign in again.'

/**
 * Returns the user of an access token; null if the token is invalid.
 *
 * @param elevation Header `X-Svc-Elevation`. A token of another user or session, or of a removed passkey, does not elevate,
 * and does not affect requests that need no elevation.
 * @throws ApiError UNAUTHENTICATED with the reason if a genuine token has expired or its session has ended;
 * ACCOUNT_SUSPENDED, although the sessions of the account have ended, so that its owner learns why.
 * Source: `Spec: Authentication` 3.
 */
export async function authenticateAccessToken(
  deps: AuthenticateAccessTokenDeps,
  token: string,
  elevation: string | undefined,
  now: number,
): Promise<SessionPrincipal | null> {
  const claims = await deps.tokens.verify(token, now)
  if (!claims) return null
  if (claims === 'expired') throw apiError('UNAUTHENTICATED', { message: EXPIRED })
  const account = await deps.caches.accounts.get(claims.userId)
  if (!account) throw sessionEnded()
  if (account.isSuspended) throw apiError('ACCOUNT_SUSPENDED')
  const session = await deps.caches.sessions.get(claims.sessionId)
  if (session?.userId !== claims.userId) throw sessionEnded()
  return {
    kind: 'session',
    sessionId: session.id,
    userId: account.userId,
    developerId: account.developerId,
    role: account.role,
    amr: session.amr,
    authenticatedAt: session.authenticatedAt,
    isElevated: elevation !== undefined && (await isElevating(deps, elevation, session, now)),
    actsFor: account.actsFor,
    writesFor: account.writesFor,
    suspendedOrganizations: account.suspendedOrganizations,
  }
}

/** Whether the token elevates the session; it names the passkey, which is read again because it may have been removed. */
async function isElevating(
  { elevations, passkeys }: AuthenticateAccessTokenDeps,
  elevation: string,
  session: { id: string; userId: string },
  now: number,
): Promise<boolean> {
  const raised = await elevations.verify(elevation, now)
  if (raised?.userId !== session.userId || raised.sessionId !== session.id) return false
  return (await passkeys.ofUser(session.userId)).some(({ id }) => id === raised.passkeyId)
}
