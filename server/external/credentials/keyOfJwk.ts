import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const coordinate = z.string().max(100)

/** Public keys on curves alone: no secret (`oct`), and nothing of a private key is taken over. */
const jwkSchema = z.union([
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate }),
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(['P-256', 'P-384', 'secp256k1']),
    x: coordinate,
    y: coordinate,
  }),
])

/** The public key of a JWK; null for one of another kind, and for a point that is not on its curve. Source: RFC 7517; RFC 8037 §2. */
export function keyOfJwk(jwk: unknown): KeyObject | null {
  const parsed = jwkSchema.safeParse(jwk)
  if (!parsed.success) return null
  try {
    return createPublicKey({ key: parsed.data, format: 'jwk' })
  } catch {
    return null
  }
}
