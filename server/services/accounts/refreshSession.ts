import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { Session, SessionClient, SessionStore } from '../../store/accounts/sessionStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { AccountCaches } from './accountCaches.ts'
import { describeSessionEnd } from './describeSessionEnd.ts'
import { type GrantSessionDeps, grantSession } from './grantSession.ts'
import { unmaskRefreshToken } from './maskRefreshToken.ts'
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
  /** `message` says why the session is over. */
  | { kind: 'over'; message: string }
  | { kind: 'reused'; session: Session }
  | { kind: 'exchanged'; session: Session; refreshToken: string }

/** How long the exchange of a token may be repeated. */
const GRACE_MS = 30_000

/**
 * Exchanges a refresh token for a new access token and the next refresh token.
 *
 * Each is valid once. A second use means that two parties hold it, and it is unknown which one is the thief: the session
 * ends for both, with all its tokens. But two tabs may use a token at the same moment, and a response may be lost. So for
 * 30 seconds, and only while the next token is unused, the same exchange returns the same next token: there is never a
 * second line of tokens, and a later second use ends the session as always.
 *
 * @throws ApiError UNAUTHENTICATED, which says why the session has ended; ACCOUNT_SUSPENDED if it ended by the suspension
 * of its account. Source: RFC 9700 §4.14.
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  input: RefreshSessionInput,
): Promise<SessionGrant> {
  const outcome = await exchange(deps, input)
  if (outcome.kind === 'over') throw apiError('UNAUTHENTICATED', { message: outcome.message })
  const { session } = outcome
  if (outcome.kind === 'reused') {
    deps.caches.sessions.delete(session.id)
    throw apiError('UNAUTHENTICATED', {
      message: describeSessionEnd('token_reused'),
      detail: `refresh token used again; session ${session.id} ended`,
    })
  }
  const user = await deps.users.byId(session.userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  return grantSession(deps, { user, session, refreshToken: outcome.refreshToken, now: input.now })
}

function exchange(
  deps: RefreshSessionDeps,
  { refreshToken, client, now }: RefreshSessionInput,
): Promise<Outcome> {
  const tokenHash = sha256Hex(refreshToken)
  return deps.transaction(
    async (trx): Promise<Outcome> => {
      const token = await deps.refreshTokens.byHash(trx, tokenHash)
      if (!token) return { kind: 'over', message: describeSessionEnd(null) }
      const { sessionId } = token
      const session = await deps.sessions.live(sessionId, trx)
      if (!session) {
        const user = await deps.users.ofSession(trx, sessionId)
        if (user) await refuseSuspended(deps, trx, user)
        return { kind: 'over', message: describeSessionEnd(await deps.sessions.endReasonOf(trx, sessionId)) }
      }
      if (token.expiresAt <= now) return { kind: 'over', message: UNUSED }
      if (await deps.refreshTokens.use(trx, tokenHash, now)) {
        await deps.sessions.use(trx, session.id, client, now)
        const issued = await issueRefreshToken(deps, trx, { sessionId, predecessor: refreshToken, now })
        return { kind: 'exchanged', session, refreshToken: issued }
      }
      const successor = await deps.refreshTokens.successorOf(trx, tokenHash)
      if (successor?.masked && now - successor.createdAt <= GRACE_MS) {
        const issued = unmaskRefreshToken(successor.masked, refreshToken)
        return { kind: 'exchanged', session, refreshToken: issued }
      }
      await deps.sessions.end(trx, session.id, { at: now, reason: 'token_reused' })
      return { kind: 'reused', session }
    },
    [`account ${tokenHash}`],
  )
}

const UNUSED = 'This session has expired, because it was not used for 30 days.'
