import { base62Id } from './base62Id.ts'

/**
 * The identifier of an endpoint out of 16 random bytes: `SVCE-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function endpointIdentifier(bytes16: Uint8Array): string {
  return `SVCE-${base62Id(bytes16)}`
}
