import { hash } from 'node:crypto'

/**
 * The SHA-256 digest of some bytes, or of the UTF-8 bytes of a string: 32 bytes.
 *
 * This is the only file of core that reaches a platform module. The digest is fetched as one-byte characters
 * and copied, because asking Node for a Buffer costs three times the hash itself.
 *
 * Source: FIPS 180-4.
 */
export function sha256(data: Uint8Array | string): Uint8Array {
  const characters = hash('sha256', data, 'binary')
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = characters.charCodeAt(i)
  return digest
}

/**
 * The SHA-256 digest as 64 lower-case hexadecimal digits without a prefix.
 *
 * Source: FIPS 180-4.
 */
export function sha256Hex(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex')
}
