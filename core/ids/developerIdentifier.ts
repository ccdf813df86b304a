import { base62Id } from './base62Id.ts'

/**
 * The identifier of an individual developer out of 16 random bytes: `SVCD-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Allowlist entry.
 */
export function developerIdentifier(bytes16: Uint8Array): string {
  return `SVCD-${base62Id(bytes16)}`
}
