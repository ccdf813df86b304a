import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { RefreshTokenStore } from '../../store/accounts/refreshTokenStore.ts'
import type { Session, SessionClient, SessionStore } from '../../store/accounts/sessionStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from './refuseSuspended.ts'

export type OpenSessionDeps = IssueRefreshTokenDeps & RefuseSuspendedDeps & { sessions: SessionStore }

export type OpenSessionInput = {
  user: Pick<User, 'id' | 'developerId'>
  amr: string[]
  /** The origin of the sign-in, as far as it is stored; omitted if unknown. */
  client?: SessionClient | undefined
  now: number
}

/**
 * Stores a new session and its first refresh token within the sign-in's transaction.
 *
 * Every way to sign in ends here. @throws ApiError ACCOUNT_SUSPENDED.
 */
export async function openSession(
  deps: OpenSessionDeps,
  trx: Parameters<SessionStore['insert']>[0],
  input: OpenSessionInput,
): Promise<{ session: Session; refreshToken: string }> {
  const { user, amr, client = { browser: null, network: null }, now } = input
  await refuseSuspended(deps, trx, user)
  const session: Session = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    userId: user.id,
    amr,
    authenticatedAt: now,
    endedAt: null,
    client,
    lastUsedAt: now,
  }
  await deps.sessions.insert(trx, session)
  return { session, refreshToken: await issueRefreshToken(deps, trx, session.id, now) }
}

export type IssueRefreshTokenDeps = {
  refreshTokens: RefreshTokenStore
  randomBytes: (length: number) => Uint8Array
}

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** Issues a session's next refresh token: 256 random bits, valid once within 30 days, stored as its hash. */
export async function issueRefreshToken(
  deps: IssueRefreshTokenDeps,
  trx: Parameters<RefreshTokenStore['insert']>[0],
  sessionId: string,
  now: number,
): Promise<string> {
  const token = `svc_rt_${Buffer.from(deps.randomBytes(32)).toString('base64url')}`
  await deps.refreshTokens.insert(trx, {
    tokenHash: sha256Hex(token),
    sessionId,
    createdAt: now,
    expiresAt: now + LIFETIME_MS,
    usedAt: null,
  })
  return token
}
