import { hashInputs } from '../audit/hashInputs.ts'
import { canonicaliseJson } from '../canonicaliseJson.ts'
import type { Pdlss } from './pdlss.ts'

/**
 * The public commitment to a boundary: SHA-256(salt ‖ canonical JSON), as 0x-hex.
 *
 * It stands on the agent card and in audit entries. A boundary is often guessable (one limit, two actions), so it
 * is salted: who is not shown the salt (32 hexadecimal digits) cannot try guesses against the hash.
 *
 * Source: api.md "Agent card"; Spec: Agent, Permission privacy.
 */
export function hashPdlss(saltHex: string, pdlss: Pdlss): `0x${string}` {
  return hashInputs(saltHex, canonicaliseJson(pdlss))
}
