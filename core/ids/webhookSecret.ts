/**
 * A webhook secret, `whsec_` and the base64 of 32 random bytes; Standard Webhooks verifiers decode the latter.
 *
 * @throws Error when it is not given 32 bytes.
 *
 * Source: api.md "Identifiers".
 */
export function webhookSecret(bytes32: Uint8Array): string {
  if (bytes32.length !== 32) throw new Error(`a webhook secret is made of 32 bytes, not ${bytes32.length}`)
  return `whsec_${btoa(String.fromCharCode(...bytes32))}`
}
