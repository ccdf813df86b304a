import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { RefreshTokenStore } from '../../store/accounts/refreshTokenStore.ts'
import type { Session, SessionClient, SessionStore } from '../../store/accounts/sessionStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import { maskRefreshToken, toRefreshToken } from './maskRefreshToken.ts'
import { type RefuseSuspendedDeps, refuseSuspended } from './refuseSuspended.ts'

export type OpenSessionDeps = IssueRefreshTokenDeps & RefuseSuspendedDeps & { sessions: SessionStore }

export type OpenSessionInput = {
  user: Pick<User, 'id' | 'developerId'>
  amr: string[]
  /** The wallet that was proven, if that is how the user signs in. */
  walletAddress?: string
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
  const { user, amr, walletAddress, client = { browser: null, network: null }, now } = input
  await refuseSuspended(deps, trx, user)
  const session: Session = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    userId: user.id,
    amr,
    walletAddress: walletAddress?.toLowerCase() ?? null,
    authenticatedAt: now,
    endedAt: null,
    client,
    lastUsedAt: now,
  }
  await deps.sessions.insert(trx, session)
  return { session, refreshToken: await issueRefreshToken(deps, trx, { sessionId: session.id, now }) }
}

export type IssueRefreshTokenDeps = {
  refreshTokens: RefreshTokenStore
  randomBytes: (length: number) => Uint8Array
}

export type IssueRefreshTokenInput = {
  sessionId: string
  /** The token that is exchanged for this one; omitted for the first of a session. */
  predecessor?: string
  now: number
}

/** How long a refresh token is valid, and with it a session that is not used. */
export const REFRESH_TOKEN_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/**
 * Issues a session's next refresh token: 256 random bits, valid once within 30 days, stored as its hash and, until it is
 * used, masked with the token that it replaces.
 */
export async function issueRefreshToken(
  deps: IssueRefreshTokenDeps,
  trx: Parameters<RefreshTokenStore['insert']>[0],
  { sessionId, predecessor, now }: IssueRefreshTokenInput,
): Promise<string> {
  const random = deps.randomBytes(32)
  const token = toRefreshToken(random)
  await deps.refreshTokens.insert(trx, {
    tokenHash: sha256Hex(token),
    sessionId,
    createdAt: now,
    expiresAt: now + REFRESH_TOKEN_LIFETIME_MS,
    usedAt: null,
    exchange:
      predecessor === undefined
        ? null
        : { predecessorHash: sha256Hex(predecessor), masked: maskRefreshToken(random, predecessor) },
  })
  return token
}
