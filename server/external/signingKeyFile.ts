import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'

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
export async function readOrCreateSigningKey(file: string): Promise<SigningKey> {
  if (!existsSync(file)) await create(file)
  return parse(readFileSync(file, 'utf8'), file)
}

async function create(file: string): Promise<void> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const text = JSON.stringify(await exportJWK(privateKey))
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeDurably(draft, text)
    linkSync(draft, file)
  } catch (error) {
    if (!isAlreadyThere(error)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function parse(text: string, file: string): SigningKey {
  try {
    return keySchema.parse(JSON.parse(text))
  } catch {
    // The cause is left out: it could repeat a part of the key.
    throw new Error(`${file} does not hold a P-256 private key as a JWK`)
  }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
