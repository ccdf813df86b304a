import type { AccessTokens } from '../../external/accessTokens.ts'
import type { ElevationTokens } from '../../external/elevationTokens.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AccountCaches } from './accountCaches.ts'

export type AuthenticateAccessTokenDeps = {
  tokens: Pick<AccessTokens, 'verify'>
  elevations: Pick<ElevationTokens, 'verify'>
  caches: Pick<AccountCaches, 'sessions' | 'accounts'>
}

/**
 * Who is signed in with an access token; null when it is not one, or its session has ended.
 *
 * @param elevation Header `X-Svc-Elevation`. One that is not of this user and session raises nobody, and what needs
 * none is not refused for it.
 * Source: `Spec: Authentication` 3; api.md "Accounts".
 */
export async function authenticateAccessToken(
  deps: AuthenticateAccessTokenDeps,
  token: string,
  elevation: string | undefined,
  now: number,
): Promise<SessionPrincipal | null> {
  const claims = await deps.tokens.verify(token, now)
  if (!claims) return null
  const session = await deps.caches.sessions.get(claims.sessionId)
  if (session?.userId !== claims.userId) return null
  const account = await deps.caches.accounts.get(claims.userId)
  if (!account) return null
  const raised = elevation === undefined ? null : await deps.elevations.verify(elevation, now)
  return {
    kind: 'session',
    sessionId: session.id,
    userId: account.userId,
    developerId: account.developerId,
    role: account.role,
    amr: session.amr,
    authenticatedAt: session.authenticatedAt,
    isElevated: raised?.userId === account.userId && raised.sessionId === session.id,
    actsFor: account.actsFor,
    writesFor: account.writesFor,
  }
}
