import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import type { AgentKey } from '@svc/core/signing/computeKeyThumbprint.ts'
import { HTTP_ALGORITHMS } from '@svc/core/signing/jwsAlgorithms.ts'
import { KEY_PROOF_TYPE, readKeyProofClaims } from '@svc/core/signing/keyProof.ts'
import { readSigningKey } from '../httpSignatures/readSigningKey.ts'

const SKEW_SECONDS = 60

export type KeyProofInput = {
  key: AgentKey
  /** A compact JWS, as presented. */
  proof: string
  /** The agent to which the key is added: its `SVC-` identifier or, for an adoption, the name of its token. */
  agentId: string
  /** `PUBLIC_URL` of this service. */
  audience: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Whether whoever made this proof holds the private half of a key, and made it to add the key to this agent, here and now.
 *
 * Source: RFC 7515; docs/agents.md.
 */
export async function verifyKeyProof({
  key,
  proof,
  agentId,
  audience,
  now,
}: KeyProofInput): Promise<boolean> {
  const jws = parseCompactJws(proof)
  const alg = HTTP_ALGORITHMS[jws?.algorithm ?? '']
  if (jws === null || jws.header.typ !== KEY_PROOF_TYPE || alg === undefined) return false
  const claims = readKeyProofClaims(jws.payload)
  if (claims === null || claims.iss !== agentId || claims.aud !== audience) return false
  const seconds = now / 1000
  if (claims.iat > seconds + SKEW_SECONDS || claims.exp <= seconds) return false
  const verifier = await readSigningKey(key)
  if (verifier === undefined) return false
  return verifier.verifies(jws.signingInput, jws.signature, alg)
}
