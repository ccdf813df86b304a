import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import type { Session, SessionClient, SessionStore } from '../../store/accounts/sessionStore.ts'
import { type IssueRefreshTokenDeps, issueRefreshToken } from './issueRefreshToken.ts'

export type OpenSessionDeps = IssueRefreshTokenDeps & { sessions: SessionStore }

export type OpenSessionInput = {
  userId: string
  amr: string[]
  /** Where the sign-in comes from, as far as that is kept; left out where nobody can say. */
  client?: SessionClient | undefined
  now: number
}

/** Stores a new session and its first refresh token, as a part of the sign-in's transaction. */
export async function openSession(
  deps: OpenSessionDeps,
  trx: Parameters<SessionStore['insert']>[0],
  input: OpenSessionInput,
): Promise<{ session: Session; refreshToken: string }> {
  const { userId, amr, client = { browser: null, network: null }, now } = input
  const session: Session = {
    id: generateUuidV7(now, deps.randomBytes(10)),
    userId,
    amr,
    authenticatedAt: now,
    endedAt: null,
    client,
    lastUsedAt: now,
  }
  await deps.sessions.insert(trx, session)
  return { session, refreshToken: await issueRefreshToken(deps, trx, session.id, now) }
}
