import { BASE62_DIGITS } from './base62Digits.ts'

const LENGTH = 32

/**
 * An API key, `svc_live_` and 32 base62 characters, out of 64 random bytes.
 *
 * Six bits of each byte choose a digit, and the two values of 64 that have none are skipped: every digit is
 * equally likely. Only 32 of the bytes are needed; with 64 the chance to run out is below 10^-30, and the answer
 * to that is to throw: never a weaker key.
 *
 * @throws Error when the bytes hold fewer than 32 digits.
 *
 * Source: api.md "Identifiers".
 */
export function apiKey(bytes64: Uint8Array): string {
  let digits = ''
  for (const byte of bytes64) {
    if (digits.length === LENGTH) break
    digits += BASE62_DIGITS.charAt(byte & 0x3f)
  }
  if (digits.length < LENGTH)
    throw new Error(`${bytes64.length} bytes hold ${digits.length} of ${LENGTH} digits`)
  return `svc_live_${digits}`
}
