import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './readSigningKey.ts'

/** What an access token says. Source: api.md "Accounts". */
type AccessClaims = {
  userId: string
  sessionId: string
  /** UUID of this token. */
  tokenId: string
  /** How the user signed in. Source: RFC 8176. */
  amr: readonly string[]
  /** Epoch milliseconds of the sign-in; whole seconds survive. */
  authenticatedAt: number
}

export type AccessTokens = {
  sign(claims: AccessClaims, now: number): Promise<string>
  /** The claims of a token that is valid at `now`, else null. */
  verify(token: string, now: number): Promise<AccessClaims | null>
  /** The keys others verify with. Source: RFC 7517 §5. */
  keySet: { keys: Record<string, string>[] }
  lifetimeSeconds: number
}

export type AccessTokensOptions = { key: SigningKey; issuer: string; audience: string }

const ALGORITHM = 'ES256'
const TYPE = 'at+jwt'
const LIFETIME_SECONDS = 15 * 60

const claimsSchema = z.object({
  sub: z.string(),
  sid: z.string(),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
  token_use: z.literal('access'),
  amr: z.array(z.string()),
  auth_time: z.number(),
})

/**
 * Signs and verifies access tokens: JWT, ES256, `typ: at+jwt`, 15 minutes.
 *
 * Every other `token_use`, type, algorithm, issuer and audience is refused, so that no token made for something else
 * (refresh, interim, elevation, agent) opens a session. Source: `Spec: Authentication` 3; RFC 9068; RFC 8725.
 */
export async function createAccessTokens(options: AccessTokensOptions): Promise<AccessTokens> {
  const { kty, crv, x, y, d } = options.key
  const kid = await calculateJwkThumbprint({ kty, crv, x, y })
  const privateKey = await importJWK({ kty, crv, x, y, d }, ALGORITHM)
  const publicKey = await importJWK({ kty, crv, x, y }, ALGORITHM)
  return {
    keySet: { keys: [{ kty, crv, x, y, kid, use: 'sig', alg: ALGORITHM }] },
    lifetimeSeconds: LIFETIME_SECONDS,

    sign(claims, now) {
      const issuedAt = Math.floor(now / 1000)
      const payload = {
        iss: options.issuer,
        aud: options.audience,
        sub: claims.userId,
        sid: claims.sessionId,
        jti: claims.tokenId,
        iat: issuedAt,
        exp: issuedAt + LIFETIME_SECONDS,
        token_use: 'access',
        amr: claims.amr,
        auth_time: Math.floor(claims.authenticatedAt / 1000),
      }
      return new SignJWT(payload).setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid }).sign(privateKey)
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
      const { sub, sid, jti, amr, auth_time } = claims.data
      return { userId: sub, sessionId: sid, tokenId: jti, amr, authenticatedAt: auth_time * 1000 }
    },
  }
}
