import { sha256 as sha256Of, stringToBytes } from 'viem'

/**
 * The SHA-256 digest of some bytes, or of the UTF-8 bytes of a string; stands in for `core/hash.ts` in the browser.
 *
 * The browser's own digest is asynchronous and missing on plain HTTP, the checks of core are neither.
 *
 * Source: FIPS 180-4.
 */
export function sha256(data: Uint8Array | string): Uint8Array {
  return sha256Of(typeof data === 'string' ? stringToBytes(data) : data, 'bytes')
}

/** The SHA-256 digest as 64 lower-case hexadecimal digits without a prefix. */
export function sha256Hex(data: Uint8Array | string): string {
  return sha256Of(typeof data === 'string' ? stringToBytes(data) : data).slice(2)
}
