import { base62Id } from './base62Id.ts'

/**
 * The identifier of an agent out of 16 random bytes: `SVC-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Agent.
 */
export function agentIdentifier(bytes16: Uint8Array): string {
  return `SVC-${base62Id(bytes16)}`
}
