import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { Session, SessionClient, SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from './accountCaches.ts'
import { type GrantSessionDeps, grantSession } from './grantSession.ts'
import { type IssueRefreshTokenDeps, issueRefreshToken } from './openSession.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from './refuseSuspended.ts'

export type RefreshSessionDeps = GrantSessionDeps &
  IssueRefreshTokenDeps &
  RefuseSuspendedDeps & {
    users: UserStore
    sessions: SessionStore
    transaction: Db['transaction']
    caches: Pick<AccountCaches, 'sessions'>
  }

export type RefreshSessionInput = { refreshToken: string; client: SessionClient; now: number }

type Outcome =
  | { kind: 'unknown' }
  | { kind: 'reused'; session: Session }
  | { kind: 'rotated'; session: Session; refreshToken: string }

/**
 * Exchanges a refresh token for a new access token and the next refresh token.
 *
 * Each is valid once. A second use means that two parties hold it, and it is unknown which one is the thief: the session
 * ends for both, with all its tokens.
 *
 * @throws ApiError UNAUTHENTICATED; ACCOUNT_SUSPENDED if the session ended by the suspension of its account. Source: RFC
 * 9700 §4.14.
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  input: RefreshSessionInput,
): Promise<SessionGrant> {
  const outcome = await rotate(deps, input)
  if (outcome.kind === 'unknown') throw apiError('UNAUTHENTICATED')
  const { session } = outcome
  if (outcome.kind === 'reused') {
    deps.caches.sessions.delete(session.id)
    throw apiError('UNAUTHENTICATED', { detail: `refresh token used again; session ${session.id} ended` })
  }
  const user = await deps.users.byId(session.userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  return grantSession(deps, { user, session, refreshToken: outcome.refreshToken, now: input.now })
}

function rotate(
  deps: RefreshSessionDeps,
  { refreshToken, client, now }: RefreshSessionInput,
): Promise<Outcome> {
  const tokenHash = sha256Hex(refreshToken)
  return deps.transaction(async (trx): Promise<Outcome> => {
    const token = await deps.refreshTokens.byHash(trx, tokenHash)
    if (!token || token.expiresAt <= now) return { kind: 'unknown' }
    const session = await deps.sessions.live(token.sessionId, trx)
    if (!session) {
      const user = await deps.users.ofSession(trx, token.sessionId)
      if (user) await refuseSuspended(deps, trx, user)
      return { kind: 'unknown' }
    }
    if (!(await deps.refreshTokens.use(trx, tokenHash, now))) {
      await deps.sessions.end(trx, session.id, now)
      return { kind: 'reused', session }
    }
    await deps.sessions.use(trx, session.id, client, now)
    return { kind: 'rotated', session, refreshToken: await issueRefreshToken(deps, trx, session.id, now) }
  })
}
