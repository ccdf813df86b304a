import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { findContradictedFacts } from '@svc/core/signing/findContradictedFacts.ts'
import { INTENT_SECONDS_MAX, INTENT_TYPE, parseIntentClaims } from '@svc/core/signing/intentClaims.ts'
import { HTTP_ALGORITHMS } from '@svc/core/signing/jwsAlgorithms.ts'
import { listAudiences } from './listAudiences.ts'
import { namesAgent, type ProofAudience, type ProofFinding, type ProvableAgent, wrongProof } from './proof.ts'

const SKEW_SECONDS = 60

type IntentInput = {
  agent: ProvableAgent
  audience: ProofAudience
  request: VerificationRequest
  /** A compact JWS, as presented. */
  intentProof: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Verifies an intent proof: that a key of the agent signed it for this endpoint, and that the counterparty states every fact
 * to which the agent committed in the same way.
 *
 * Source: RFC 7515; docs/agents.md.
 */
export async function verifyIntentProof({
  agent,
  audience,
  request,
  intentProof,
  now,
}: IntentInput): Promise<ProofFinding> {
  const jws = parseCompactJws(intentProof)
  const alg = HTTP_ALGORITHMS[jws?.algorithm ?? '']
  if (jws === null || jws.header.typ !== INTENT_TYPE || alg === undefined) return wrongProof('malformed')
  const parsed = parseIntentClaims(jws.payload)
  if (!parsed.ok) return wrongProof(isLongLived(jws.payload) ? 'long_lived' : 'malformed')
  const { claims } = parsed
  if (!namesAgent(agent, claims.iss)) return wrongProof('other_agent')
  if (!listAudiences(audience).includes(claims.aud)) return wrongProof('other_audience')
  const seconds = now / 1000
  if (claims.iat > seconds + SKEW_SECONDS) return wrongProof('not_yet_valid')
  const key = agent.keys.find(({ kid }) => kid === jws.header.kid)
  if (key === undefined) return wrongProof('key_unknown')
  if (key.isRevoked) return wrongProof('key_revoked')
  if (alg !== key.alg) return wrongProof('other_algorithm')
  if (!(await key.verifies(jws.signingInput, jws.signature, alg))) return wrongProof('forged')
  const contradicted = findContradictedFacts(claims, request, request.callerMetadata?.contentDigest)
  if (contradicted.length > 0) return wrongProof('other_facts')
  const use = { key: `${key.kid} ${claims.jti}`, expiresAt: (claims.exp + SKEW_SECONDS) * 1000 }
  return { found: 'valid', kid: key.kid, use, hasExpired: claims.exp <= seconds }
}

function isLongLived({ iat, exp }: { iat?: unknown; exp?: unknown }): boolean {
  return Number.isInteger(iat) && Number.isInteger(exp) && Number(exp) - Number(iat) > INTENT_SECONDS_MAX
}
