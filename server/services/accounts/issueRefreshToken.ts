import { sha256Hex } from '@svc/core/hash.ts'
import type { RefreshTokenStore } from '../../store/accounts/refreshTokenStore.ts'

export type IssueRefreshTokenDeps = {
  refreshTokens: RefreshTokenStore
  randomBytes: (length: number) => Uint8Array
}

const LIFETIME_MS = 30 * 24 * 60 * 60 * 1000

/** Makes a session's next refresh token: 256 random bits, good once within 30 days, stored as its hash. */
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
