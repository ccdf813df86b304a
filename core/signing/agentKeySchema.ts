import { z } from 'zod'
import { type AgentKey, computeKeyThumbprint } from './computeKeyThumbprint.ts'
import { isSafeKeyPoint } from './isSafeKeyPoint.ts'
import { PUBLISHED_PRIVATE_KEYS } from './publishedPrivateKeys.ts'

/** 43 characters of base64url are 258 bits, of which the last two are zero. */
const coordinate = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, {
  error: 'expected 32 bytes in base64url without padding: 43 characters',
  abort: true,
})

/**
 * The members that say what a key may be used for; a key for something else is refused. Algorithms have one name for JOSE
 * and another for HTTP message signatures. Source: RFC 7517 §4; RFC 9421 §6.2.2.
 */
const usage = (algorithms: readonly [string, ...string[]]) => ({
  use: z.literal('sig').optional(),
  alg: z.enum(algorithms).optional(),
  key_ops: z
    .array(z.string().max(20))
    .max(10)
    .refine((operations) => operations.includes('verify'), 'expected "verify" among the operations')
    .optional(),
  d: z
    .unknown()
    .refine((d) => d === undefined, { error: 'send only the public key', params: { code: 'private_key' } })
    .optional()
    .meta({ not: {}, description: 'The private half, which nobody but the agent may have' }),
})

const ed25519Key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: coordinate,
  ...usage(['EdDSA', 'Ed25519', 'ed25519']),
})

const p256Key = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: coordinate,
  y: coordinate,
  ...usage(['ES256', 'ecdsa-p256-sha256']),
})

/**
 * A public key that signs for an agent, as a JWK. Only the members that define it are read; others, such as `kid`, are
 * ignored as RFC 7517 §4 demands, apart from those that say the key is private or for another use.
 *
 * Refused are a private key, a point that others can sign for, and a key whose private half is published as an example.
 * Source: RFC 7517, RFC 7518 §6.2.1, RFC 8037 §2.
 */
export const agentKeySchema: z.ZodType<AgentKey, AgentKey> = z
  .discriminatedUnion('kty', [ed25519Key, p256Key], {
    error: 'expected "OKP" with Ed25519, or "EC" with P-256',
  })
  .refine(isSafeKeyPoint, {
    error: 'the coordinates are not a public key of this curve',
    params: { code: 'invalid_point' },
    abort: true,
  })
  .refine((key) => !PUBLISHED_PRIVATE_KEYS.has(computeKeyThumbprint(key)), {
    error: 'the private half of this key is published as an example; generate one of your own',
    params: { code: 'published_key' },
  })
  .transform((key): AgentKey => {
    const { kty, crv, x } = key
    return key.kty === 'EC' ? { kty, crv, x, y: key.y } : { kty, crv, x }
  })
