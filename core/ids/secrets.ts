import { BASE62_DIGITS } from './identifiers.ts'

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
export function generateApiKey(bytes64: Uint8Array): string {
  let digits = ''
  for (const byte of bytes64) {
    if (digits.length === LENGTH) break
    digits += BASE62_DIGITS.charAt(byte & 0x3f)
  }
  if (digits.length < LENGTH)
    throw new Error(`${bytes64.length} bytes hold ${digits.length} of ${LENGTH} digits`)
  return `svc_live_${digits}`
}

/**
 * Whether a text has the form of an API key; it says nothing about whether the key exists.
 *
 * Source: api.md "Identifiers".
 */
export function isApiKey(text: string): boolean {
  return /^svc_live_[0-9A-Za-z]{32}$/.test(text)
}

/**
 * A webhook secret, `whsec_` and the base64 of 32 random bytes; Standard Webhooks verifiers decode the latter.
 *
 * @throws Error when it is not given 32 bytes.
 *
 * Source: api.md "Identifiers".
 */
export function generateWebhookSecret(bytes32: Uint8Array): string {
  if (bytes32.length !== 32) throw new Error(`a webhook secret is made of 32 bytes, not ${bytes32.length}`)
  return `whsec_${btoa(String.fromCharCode(...bytes32))}`
}

/**
 * A secret as it may be shown after the first time: its prefix, four asterisks and its last four characters, as
 * in `whsec_****abc=` or `svc_live_****wxyz`.
 *
 * What stands before the last underscore is the prefix; a text without one shows no prefix, and a body of fewer
 * than 16 characters shows nothing of itself.
 *
 * Source: api.md "Identifiers".
 */
export function maskSecret(secret: string): string {
  const bodyStart = secret.lastIndexOf('_') + 1
  const body = secret.slice(bodyStart)
  return `${secret.slice(0, bodyStart)}****${body.length < 16 ? '' : body.slice(-4)}`
}
