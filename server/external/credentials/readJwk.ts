import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const coordinate = z.string().max(100)

/** Elliptic-curve public keys only: no shared secrets (`oct`), and private members are dropped. */
const jwkSchema = z.union([
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate }),
  z.object({
    kty: z.literal('EC'),
    crv: z.enum(['P-256', 'P-384', 'secp256k1']),
    x: coordinate,
    y: coordinate,
  }),
])

/** Reads the public key of a JWK; null for another kind of key or a point off the curve. Source: RFC 7517; RFC 8037 §2. */
export function readJwk(jwk: unknown): KeyObject | null {
  const parsed = jwkSchema.safeParse(jwk)
  if (!parsed.success) return null
  try {
    return createPublicKey({ key: parsed.data, format: 'jwk' })
  } catch {
    return null
  }
}
