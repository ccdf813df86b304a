import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { writeFileOnce } from '../writeFileOnce.ts'
import type { PrivateJwk } from './keyRing.ts'

const keySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

/** A P-256 private key. Source: RFC 7518 §6.2. */
export type SigningKey = z.output<typeof keySchema>

/**
 * Reads a key that signs for the registry, or creates its file, readable by its owner only.
 *
 * The file is created atomically; of several processes that start together, the first creates it for all.
 *
 * @throws Error when the file does not contain a P-256 private key as a JWK.
 */
export function readSigningKey(file: string): SigningKey {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileOnce(file, JSON.stringify(privateKey.export({ format: 'jwk' })))
  }
  return parse(readFileSync(file, 'utf8'), file)
}

/** Parses a stored private key of either curve. @throws Error for anything else, which it does not quote. */
export function parsePrivateJwk(text: string): PrivateJwk {
  const curve = z.discriminatedUnion('crv', [
    keySchema,
    z.object({ crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
  ])
  const { success, data } = curve.safeParse(JSON.parse(text))
  if (!success) throw new Error('a stored key is no private key as a JWK')
  return data
}

function parse(text: string, file: string): SigningKey {
  try {
    return keySchema.parse(JSON.parse(text))
  } catch {
    // The cause is omitted, because it might quote part of the key.
    throw new Error(`${file} does not contain a P-256 private key as a JWK`)
  }
}
