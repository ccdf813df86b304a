import { BASE62_DIGITS } from './identifiers.ts'

/** The beginning of every API key. */
export const API_KEY_PREFIX = 'svc_live_'

const LENGTH = 32

/**
 * Generates an API key from 64 random bytes: `svc_live_` and 32 base62 characters.
 *
 * Six bits of each byte select a digit. The two of the 64 values without a digit are skipped, so every digit is equally
 * likely. 64 bytes yield fewer than 32 digits with a probability below 10^-30.
 *
 * @throws Error when the bytes yield fewer than 32 digits, instead of returning a weaker key.
 */
export function generateApiKey(bytes64: Uint8Array): string {
  let digits = ''
  for (const byte of bytes64) {
    if (digits.length === LENGTH) break
    digits += BASE62_DIGITS.charAt(byte & 0x3f)
  }
  if (digits.length < LENGTH)
    throw new Error(`${bytes64.length} bytes hold ${digits.length} of ${LENGTH} digits`)
  return `${API_KEY_PREFIX}${digits}`
}

/** Whether a text has the form of an API key; the key need not exist. */
export function isApiKey(text: string): boolean {
  return /^svc_live_[0-9A-Za-z]{32}$/.test(text)
}

/**
 * Generates a webhook secret from 32 random bytes: `whsec_` and their base64, which Standard Webhooks verifiers decode.
 *
 * @throws Error for any other number of bytes.
 */
export function generateWebhookSecret(bytes32: Uint8Array): string {
  if (bytes32.length !== 32) throw new Error(`a webhook secret has 32 bytes, not ${bytes32.length}`)
  return `whsec_${btoa(String.fromCharCode(...bytes32))}`
}
