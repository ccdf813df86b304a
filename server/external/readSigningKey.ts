import { existsSync, readFileSync } from 'node:fs'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'
import { writeFileOnce } from './writeFileOnce.ts'

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
 * The key that signs access tokens: read from its file, which only its owner may read, and made when there is none.
 *
 * The file appears whole or not at all, and the first of several processes that start together makes it for all.
 *
 * @throws Error when the file holds something else than a P-256 private key as a JWK.
 */
export async function readSigningKey(file: string): Promise<SigningKey> {
  if (!existsSync(file)) {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    writeFileOnce(file, JSON.stringify(await exportJWK(privateKey)))
  }
  return parse(readFileSync(file, 'utf8'), file)
}

function parse(text: string, file: string): SigningKey {
  try {
    return keySchema.parse(JSON.parse(text))
  } catch {
    // The cause is left out: it could repeat a part of the key.
    throw new Error(`${file} does not hold a P-256 private key as a JWK`)
  }
}
