import { importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './readSigningKey.ts'

/** Which agent holds it. */
type AgentClaims = {
  svcId: string
  /** UUID of this token. */
  tokenId: string
}

export type AgentTokens = {
  sign(claims: AgentClaims, now: number): Promise<string>
  /** The claims of a token that is valid at `now`, else null. */
  verify(token: string, now: number): Promise<AgentClaims | null>
  lifetimeSeconds: number
}

export type AgentTokensOptions = { key: SigningKey; issuer: string; audience: string }

const ALGORITHM = 'ES256'
const TYPE = 'agent+jwt'
const LIFETIME_SECONDS = 15 * 60

const claimsSchema = z.object({
  sub: z.string(),
  jti: z.string(),
  exp: z.number(),
  token_use: z.literal('agent'),
})

/**
 * Signs and verifies agent tokens: they name an agent that has just proven its key, for 15 minutes, and open nothing.
 *
 * Type and `token_use` are their own, so that they pass for no other token and no other passes for them.
 * Source: api.md "Agents", "Accounts"; `Spec: Authentication` 3, 9; RFC 8725 §3.11.
 */
export async function createAgentTokens(options: AgentTokensOptions): Promise<AgentTokens> {
  const { kty, crv, x, y, d } = options.key
  const privateKey = await importJWK({ kty, crv, x, y, d }, ALGORITHM)
  const publicKey = await importJWK({ kty, crv, x, y }, ALGORITHM)
  return {
    lifetimeSeconds: LIFETIME_SECONDS,

    sign({ svcId, tokenId }, now) {
      const issuedAt = Math.floor(now / 1000)
      return new SignJWT({ token_use: 'agent' })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(options.issuer)
        .setAudience(options.audience)
        .setSubject(svcId)
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
      return claims.success ? { svcId: claims.data.sub, tokenId: claims.data.jti } : null
    },
  }
}
