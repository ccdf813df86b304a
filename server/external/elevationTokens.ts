import { importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './readSigningKey.ts'

/** Whose passkey was just used, and in which session. */
type ElevationClaims = {
  userId: string
  sessionId: string
  /** UUID of this token. */
  tokenId: string
}

export type ElevationTokens = {
  sign(claims: ElevationClaims, now: number): Promise<string>
  /** The claims of a token that is valid at `now`, else null. */
  verify(token: string, now: number): Promise<ElevationClaims | null>
  lifetimeSeconds: number
}

export type ElevationTokensOptions = { key: SigningKey; issuer: string; audience: string }

const ALGORITHM = 'ES256'
const TYPE = 'elevation+jwt'
const LIFETIME_SECONDS = 5 * 60

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.string(),
  jti: z.string(),
  exp: z.number(),
  token_use: z.literal('elevation'),
})

/**
 * Signs and verifies elevation tokens: proof that the user of one session has just used a passkey, for five minutes.
 *
 * Type and `token_use` are their own, so that neither kind of token passes for the other.
 * Source: api.md "Accounts"; `Spec: Authentication` 3; RFC 8725 §3.11.
 */
export async function createElevationTokens(options: ElevationTokensOptions): Promise<ElevationTokens> {
  const { kty, crv, x, y, d } = options.key
  const privateKey = await importJWK({ kty, crv, x, y, d }, ALGORITHM)
  const publicKey = await importJWK({ kty, crv, x, y }, ALGORITHM)
  return {
    lifetimeSeconds: LIFETIME_SECONDS,

    sign({ userId, sessionId, tokenId }, now) {
      const issuedAt = Math.floor(now / 1000)
      return new SignJWT({ token_use: 'elevation', sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(options.issuer)
        .setAudience(options.audience)
        .setSubject(userId)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS)
        .sign(privateKey)
    },

    async verify(token, now) {
      const payload = await jwtVerify(token, publicKey, {
        algorithms: [ALGORITHM],
        typ: TYPE,
        issuer: options.issuer,
        audience: options.audience,
        currentDate: new Date(now),
      }).then(
        (verified) => verified.payload,
        () => null,
      )
      const claims = claimsSchema.safeParse(payload)
      if (!claims.success) return null
      return { userId: claims.data.sub, sessionId: claims.data.sid, tokenId: claims.data.jti }
    },
  }
}
