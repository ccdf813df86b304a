import { inputsHash } from '../audit/inputsHash.ts'
import { canonicalJson } from '../canonicalJson.ts'
import type { Pdlss } from './pdlss.ts'

/**
 * The public commitment to a boundary: SHA-256(salt ‖ canonical JSON), as 0x-hex.
 *
 * It stands on the agent card and in audit entries. A boundary is often guessable (one limit, two actions), so it
 * is salted: who is not shown the salt (32 hexadecimal digits) cannot try guesses against the hash.
 *
 * Source: api.md "Agent card"; Spec: Agent, Permission privacy.
 */
export function pdlssHash(saltHex: string, pdlss: Pdlss): `0x${string}` {
  return inputsHash(saltHex, canonicalJson(pdlss))
}
