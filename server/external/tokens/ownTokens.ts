import { decodeBase64Url } from '@svc/core/bytes.ts'
import { errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { createPerKey, type KeyRing, toPublicJwk } from '../keys/keyRing.ts'

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

/** What is wrong with a token. */
export type TokenFault = 'malformed' | 'expired' | 'other_audience'

/** What makes a token none that this service signed for the recipient, at whatever time. */
export type WrongToken = Exclude<TokenFault, 'expired'>

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
  type Claimed = z.infer<typeof schema>

  /** Returns the claims of a token, also of one that has expired; otherwise like `check`. */
  async function read(
    token: string,
    now: number,
    recipients: readonly string[] = [audience],
  ): Promise<{ claims: Claimed; hasExpired: boolean } | WrongToken> {
    if (token.split('.').some((part) => decodeBase64Url(part) === null)) return 'malformed'
    const expected = {
      ...{ algorithms: [ALGORITHM], typ: type, issuer, audience: [...recipients] },
      currentDate: new Date(now),
    }
    const findKey = ({ kid }: { kid?: string }) => {
      const signer = keys.published(now).find((key) => key.kid === kid)
      if (signer === undefined) throw new Error('signed by an unknown key')
      return publicKeyOf(signer)
    }
    return jwtVerify(token, findKey, expected).then(
      ({ payload }) => {
        const claims = schema.safeParse(payload).data
        return claims ? { claims, hasExpired: false } : 'malformed'
      },
      (error) => {
        const claims = schema.safeParse(expiredPayloadOf(error)).data
        return claims ? { claims, hasExpired: true } : faultOf(error)
      },
    )
  }

  /** Returns the claims of a token, or what is wrong with it; otherwise like `verify`. */
  async function check(
    token: string,
    now: number,
    recipients?: readonly string[],
  ): Promise<Claimed | TokenFault> {
    const found = await read(token, now, recipients)
    if (typeof found === 'string') return found
    return found.hasExpired ? 'expired' : found.claims
  }

  return {
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
    async verify(token: string, now: number, recipients?: readonly string[]): Promise<Claimed | null> {
      const checked = await check(token, now, recipients)
      return typeof checked === 'string' ? null : checked
    },

    check,
    read,
  }
}

/** The payload of a token that is only late: jose checks the time last, after signature, issuer and audience. */
function expiredPayloadOf(error: unknown): unknown {
  return error instanceof errors.JWTExpired ? error.payload : undefined
}

/** What is wrong with a token. Only of one that this service signed it is said that it is for another recipient. */
function faultOf(error: unknown): WrongToken {
  const isForOthers = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud'
  return isForOthers ? 'other_audience' : 'malformed'
}
