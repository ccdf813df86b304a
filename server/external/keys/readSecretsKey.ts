import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeFileOnce } from '../writeFileOnce.ts'

const KEY_BYTES = 32

/**
 * Returns the key that encrypts stored secrets: the configured one, otherwise one that is generated once and stored in a
 * file that only its owner can read.
 *
 * @param configured 32 bytes in base64.
 * @throws Error when the file contains anything else. It is not replaced, because a new key could not read stored secrets.
 */
export function readSecretsKey(configured: string | undefined, file: string): Uint8Array {
  if (configured !== undefined) return Buffer.from(configured, 'base64')
  if (!existsSync(file)) writeFileOnce(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== KEY_BYTES)
    throw new Error(`${file} does not contain a key of ${KEY_BYTES} bytes in base64`)
  return key
}
