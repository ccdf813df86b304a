import { hash } from 'node:crypto'

/**
 * The 32 bytes of the SHA-256 digest of some bytes, or of a string in UTF-8.
 *
 * This is the only file in core that uses a platform module. It reads the digest as a binary string and copies it, because
 * a Buffer from Node costs three times as much as the hash itself.
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
