import { hashInputs } from '../audit/hashInputs.ts'
import { canonicaliseJson } from '../canonicaliseJson.ts'
import type { Pdlss } from './pdlss.ts'

/**
 * Commits publicly to a boundary: SHA-256(salt ‖ canonical JSON), as `0x` and hexadecimal digits.
 *
 * The hash is on the agent card and in audit entries. Boundaries are often guessable (one limit, two actions), so the
 * hash is salted: without the salt (32 hexadecimal digits) no one can test guesses against it.
 *
 * Source: Spec: Agent, Permission privacy.
 */
export function hashPdlss(saltHex: string, pdlss: Pdlss): `0x${string}` {
  return hashInputs(saltHex, canonicaliseJson(pdlss))
}
