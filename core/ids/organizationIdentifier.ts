import { base62Id } from './base62Id.ts'

/**
 * The identifier of an organisation out of 16 random bytes: `SVCO-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function organizationIdentifier(bytes16: Uint8Array): string {
  return `SVCO-${base62Id(bytes16)}`
}
