import { parseForeignName, writeForeignName } from '../foreign/foreignName.ts'
import { isAgentIdentifier } from '../ids/identifiers.ts'

/** The media type of a proof that somebody holds the private half of a key, in its header; no other token has it. */
export const KEY_PROOF_TYPE = 'svc-key-proof+jwt'

/** The longest time from `iat` to `exp`. */
export const KEY_PROOF_SECONDS_MAX = 300

/** What the key signs. Times are Unix seconds. */
export type KeyProofClaims = {
  /** The agent to which the key is added: `SVC-…`, or before an adoption the name of its token. */
  iss: string
  /** `PUBLIC_URL` of the service. */
  aud: string
  iat: number
  exp: number
}

/**
 * Reads the claims of a proof of possession; null if they are not such claims. The lifetime is checked, but not against a
 * clock.
 *
 * It has no `jti`: it names the agent and is signed by the key itself, so that repeating it changes nothing.
 */
export function readKeyProofClaims(payload: Readonly<Record<string, unknown>>): KeyProofClaims | null {
  const { aud, iat, exp } = payload
  const iss = readAgentName(payload.iss)
  if (iss === null || typeof aud !== 'string') return null
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return null
  const [from, to] = [Number(iat), Number(exp)]
  return to > from && to - from <= KEY_PROOF_SECONDS_MAX ? { iss, aud, iat: from, exp: to } : null
}

function readAgentName(iss: unknown): string | null {
  if (typeof iss !== 'string') return null
  if (isAgentIdentifier(iss)) return iss
  const name = parseForeignName(iss)
  return name && writeForeignName(name)
}
