import { sha256Hex } from '@svc/core/hash.ts'
import type { RefreshTokenStore } from '../../store/accounts/refreshTokenStore.ts'
import type { SessionStore } from '../../store/accounts/sessionStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from './accountCaches.ts'

export type LogOutDeps = {
  refreshTokens: RefreshTokenStore
  sessions: SessionStore
  transaction: Db['transaction']
  caches: Pick<AccountCaches, 'sessions'>
}

export type LogOutInput = { refreshToken: string; now: number }

/**
 * Ends the session of a refresh token, used or not, and with it its access tokens.
 *
 * An unknown token gets the same response, because the caller is signed out either way.
 */
export async function logOut(deps: LogOutDeps, input: LogOutInput): Promise<void> {
  const sessionId = await deps.transaction(async (trx) => {
    const token = await deps.refreshTokens.byHash(trx, sha256Hex(input.refreshToken))
    if (!token) return null
    await deps.sessions.end(trx, token.sessionId, { at: input.now, reason: 'signed_out' })
    return token.sessionId
  }, [])
  if (sessionId !== null) deps.caches.sessions.delete(sessionId)
}
