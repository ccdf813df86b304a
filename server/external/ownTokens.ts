import { decodeBase64Url } from '@svc/core/bytes.ts'
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKey } from './readSigningKey.ts'

/** Signing key, issuer and audience of the tokens. */
export type OwnTokensOptions = { key: SigningKey; issuer: string; audience: string }

type Kind<Claims extends z.ZodRawShape> = {
  /** Header `typ`. */
  type: string
  /** Claim `token_use`. */
  use: string
  lifetimeSeconds: number
  /** The claims besides `sub`, `jti`, the times and `token_use`. */
  claims: Claims
}

const ALGORITHM = 'ES256'

/**
 * Signs and verifies one kind of the service's own tokens: JWT, ES256.
 *
 * The header `typ` and the claim `token_use` keep the kinds apart. Another algorithm, issuer or audience is refused, and so
 * is a non-canonical encoding of the same bytes.
 * Source: RFC 7519; RFC 8725 §3.1, §3.11; RFC 7515 Appendix C.
 */
export async function createOwnTokens<Claims extends z.ZodRawShape>(
  { key, issuer, audience }: OwnTokensOptions,
  { type, use, lifetimeSeconds, claims }: Kind<Claims>,
) {
  const { kty, crv, x, y, d } = key
  const publicJwk = { kty, crv, x, y }
  const kid = await calculateJwkThumbprint(publicJwk)
  const privateKey = await importJWK({ ...publicJwk, d }, ALGORITHM)
  const publicKey = await importJWK(publicJwk, ALGORITHM)
  const schema = z.object({
    sub: z.string(),
    jti: z.string(),
    exp: z.number(),
    token_use: z.literal(use),
    ...claims,
  })
  return {
    /** The public keys that others verify with. Source: RFC 7517 §5. */
    keySet: { keys: [{ ...publicJwk, kid, use: 'sig', alg: ALGORITHM }] },

    /** Signs a token for this service, or for another audience that is to verify it here. */
    sign(
      subject: string,
      tokenId: string,
      more: Record<string, unknown>,
      now: number,
      recipient = audience,
    ): Promise<string> {
      const issuedAt = Math.floor(now / 1000)
      return new SignJWT({ ...more, token_use: use })
        .setProtectedHeader({ alg: ALGORITHM, typ: type, kid })
        .setIssuer(issuer)
        .setAudience(recipient)
        .setSubject(subject)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(privateKey)
    },

    /** Returns the claims of a token that is valid at `now` for one of the recipients, otherwise null. */
    async verify(
      token: string,
      now: number,
      recipients: readonly string[] = [audience],
    ): Promise<z.infer<typeof schema> | null> {
      if (token.split('.').some((part) => decodeBase64Url(part) === null)) return null
      const expected = {
        ...{ algorithms: [ALGORITHM], typ: type, issuer, audience: [...recipients] },
        currentDate: new Date(now),
      }
      const payload = await jwtVerify(token, publicKey, expected).then(
        (verified) => verified.payload,
        () => null,
      )
      return schema.safeParse(payload).data ?? null
    },
  }
}
