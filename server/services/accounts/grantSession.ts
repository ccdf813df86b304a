import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import type { AccessTokens } from '../../external/tokens/accessTokens.ts'
import type { Session } from '../../store/accounts/sessionStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import { toAccountView } from './readAccount.ts'

export type GrantSessionDeps = { tokens: AccessTokens; randomBytes: (length: number) => Uint8Array }

export type GrantSessionInput = { user: User; session: Session; refreshToken: string; now: number }

/** Signs the access token of a stored session; called after the transaction, because signing waits for the thread pool. */
export async function grantSession(deps: GrantSessionDeps, input: GrantSessionInput): Promise<SessionGrant> {
  const { user, session, refreshToken, now } = input
  const { id: sessionId, amr, authenticatedAt } = session
  const tokenId = generateUuidV4(deps.randomBytes(16))
  const claims = { userId: user.id, sessionId, tokenId, amr, authenticatedAt }
  return {
    accessToken: await deps.tokens.sign(claims, now),
    refreshToken,
    expiresIn: deps.tokens.lifetimeSeconds,
    user: toAccountView(user),
  }
}
