import { z } from 'zod'
import { createOwnTokens, type OwnTokensOptions } from './ownTokens.ts'

/** Claims of an access token. */
type AccessClaims = {
  userId: string
  sessionId: string
  /** UUID of this token. */
  tokenId: string
  /** How the user signed in. Source: RFC 8176. */
  amr: readonly string[]
  /** Epoch milliseconds of the sign-in, rounded down to whole seconds in the token. */
  authenticatedAt: number
}

export type AccessTokens = {
  sign(claims: AccessClaims, now: number): Promise<string>
  /** Returns the claims of a token that is valid at `now`, `expired` for one that was, otherwise null. */
  verify(token: string, now: number): Promise<AccessClaims | 'expired' | null>
  lifetimeSeconds: number
}

const LIFETIME_SECONDS = 15 * 60

/**
 * Signs and verifies access tokens: `typ: at+jwt`, valid for 15 minutes. No token of another kind (refresh, interim,
 * elevation, agent) is accepted as one. Source: `Spec: Authentication` 3; RFC 9068.
 */
export function createAccessTokens(options: OwnTokensOptions): AccessTokens {
  const claims = { sid: z.string(), iat: z.number(), amr: z.array(z.string()), auth_time: z.number() }
  const kind = { type: 'at+jwt', use: 'access', lifetimeSeconds: LIFETIME_SECONDS, claims }
  const tokens = createOwnTokens(options, kind)
  return {
    lifetimeSeconds: LIFETIME_SECONDS,

    sign({ userId, sessionId, tokenId, amr, authenticatedAt }, now) {
      const more = { sid: sessionId, amr, auth_time: Math.floor(authenticatedAt / 1000) }
      return tokens.sign(userId, tokenId, more, now)
    },

    async verify(token, now) {
      const found = await tokens.check(token, now)
      if (typeof found === 'string') return found === 'expired' ? found : null
      const { sub, sid, jti, amr, auth_time } = found
      return { userId: sub, sessionId: sid, tokenId: jti, amr, authenticatedAt: auth_time * 1000 }
    },
  }
}
