import { decodeBase64Url } from '@svc/core/bytes.ts'
import { errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { createPerKey, type KeyRing, toPublicJwk } from './keyRing.ts'

/** Signing keys, issuer and audience of the tokens. */
export type OwnTokensOptions = { keys: KeyRing; issuer: string; audience: string }

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
export function createOwnTokens<Claims extends z.ZodRawShape>(
  { keys, issuer, audience }: OwnTokensOptions,
  { type, use, lifetimeSeconds, claims }: Kind<Claims>,
) {
  const privateKeyOf = createPerKey((jwk) => importJWK({ kty: 'EC', ...jwk }, ALGORITHM))
  const publicKeyOf = createPerKey((jwk) => importJWK(toPublicJwk(jwk), ALGORITHM))
  const schema = z.object({
    sub: z.string(),
    jti: z.string(),
    exp: z.number(),
    token_use: z.literal(use),
    ...claims,
  })
  /**
   * Returns the claims of a token for one of the recipients: `expired` if everything but its time is right, and null if it
   * is not valid.
   */
  async function read(
    token: string,
    now: number,
    recipients: readonly string[] = [audience],
  ): Promise<z.infer<typeof schema> | 'expired' | null> {
    if (token.split('.').some((part) => decodeBase64Url(part) === null)) return null
    const expected = {
      ...{ algorithms: [ALGORITHM], typ: type, issuer, audience: [...recipients] },
      currentDate: new Date(now),
    }
    const findKey = ({ kid }: { kid?: string }) => {
      const signer = keys.published(now).find((key) => key.kid === kid)
      if (signer === undefined) throw new Error('signed by an unknown key')
      return publicKeyOf(signer)
    }
    try {
      const { payload } = await jwtVerify(token, findKey, expected)
      return schema.safeParse(payload).data ?? null
    } catch (error) {
      // Checked after the signature and the other claims. Source: jose, `validateClaimsSet`.
      const isExpired = error instanceof errors.JWTExpired && schema.safeParse(error.payload).success
      return isExpired ? 'expired' : null
    }
  }

  return {
    read,

    /** Signs a token for this service, or for another audience that is to verify it here. */
    async sign(
      subject: string,
      tokenId: string,
      more: Record<string, unknown>,
      now: number,
      recipient = audience,
    ): Promise<string> {
      const issuedAt = Math.floor(now / 1000)
      const key = keys.signing(now)
      return new SignJWT({ ...more, token_use: use })
        .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: key.kid })
        .setIssuer(issuer)
        .setAudience(recipient)
        .setSubject(subject)
        .setJti(tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(await privateKeyOf(key))
    },

    /** Returns the claims of a token that is valid at `now` for one of the recipients, otherwise null. */
    async verify(
      token: string,
      now: number,
      recipients?: readonly string[],
    ): Promise<z.infer<typeof schema> | null> {
      const found = await read(token, now, recipients)
      return found === 'expired' ? null : found
    },
  }
}
