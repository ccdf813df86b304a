import { z } from 'zod'
import { createOwnTokens, type OwnTokensOptions } from './ownTokens.ts'

/** Claims of an elevation token. */
type ElevationClaims = {
  userId: string
  sessionId: string
  /** The passkey that was used; the token elevates only while the account has it. */
  passkeyId: string
  /** UUID of this token. */
  tokenId: string
}

export type ElevationTokens = {
  sign(claims: ElevationClaims, now: number): Promise<string>
  /** Returns the claims of a token that is valid at `now`, otherwise null. */
  verify(token: string, now: number): Promise<ElevationClaims | null>
  lifetimeSeconds: number
}

const LIFETIME_SECONDS = 5 * 60

/**
 * Signs and verifies elevation tokens, which prove for five minutes that the user of a session has just used a passkey.
 *
 * Source: `Spec: Authentication` 3.
 */
export function createElevationTokens(options: OwnTokensOptions): ElevationTokens {
  const claims = { sid: z.string(), pid: z.string() }
  const kind = { type: 'elevation+jwt', use: 'elevation', lifetimeSeconds: LIFETIME_SECONDS, claims }
  const tokens = createOwnTokens(options, kind)
  return {
    lifetimeSeconds: LIFETIME_SECONDS,
    sign: ({ userId, sessionId, passkeyId, tokenId }, now) =>
      tokens.sign(userId, tokenId, { sid: sessionId, pid: passkeyId }, now),

    async verify(token, now) {
      const found = await tokens.verify(token, now)
      return found && { userId: found.sub, sessionId: found.sid, passkeyId: found.pid, tokenId: found.jti }
    },
  }
}
