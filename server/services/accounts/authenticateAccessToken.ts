import type { AccessTokens } from '../../external/accessTokens.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { AccountCaches } from './accountCaches.ts'

export type AuthenticateAccessTokenDeps = {
  tokens: Pick<AccessTokens, 'verify'>
  caches: Pick<AccountCaches, 'sessions' | 'accounts'>
}

/**
 * Who is signed in with an access token; null when it is not one, or its session has ended.
 *
 * Source: `Spec: Authentication` 3; api.md "Accounts".
 */
export async function authenticateAccessToken(
  deps: AuthenticateAccessTokenDeps,
  token: string,
  now: number,
): Promise<SessionPrincipal | null> {
  const claims = await deps.tokens.verify(token, now)
  if (!claims) return null
  const session = await deps.caches.sessions.get(claims.sessionId)
  if (session?.userId !== claims.userId) return null
  const account = await deps.caches.accounts.get(claims.userId)
  if (!account) return null
  return {
    kind: 'session',
    sessionId: session.id,
    userId: account.userId,
    developerId: account.developerId,
    role: account.role,
    actsFor: account.actsFor,
    writesFor: account.writesFor,
  }
}
