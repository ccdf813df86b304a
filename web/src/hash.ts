import { stringToBytes, sha256 as viemSha256 } from 'viem'

/**
 * Computes the SHA-256 digest of bytes, or of the UTF-8 bytes of a string; replaces `core/hash.ts` in the browser.
 *
 * `crypto.subtle.digest` is asynchronous and unavailable over plain HTTP; core needs a synchronous digest everywhere.
 *
 * Source: FIPS 180-4.
 */
export function sha256(data: Uint8Array | string): Uint8Array {
  return viemSha256(typeof data === 'string' ? stringToBytes(data) : data, 'bytes')
}

/** Computes the SHA-256 digest as 64 lower-case hexadecimal digits without a prefix. */
export function sha256Hex(data: Uint8Array | string): string {
  return viemSha256(typeof data === 'string' ? stringToBytes(data) : data).slice(2)
}
