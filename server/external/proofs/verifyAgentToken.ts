import type { AgentTokens } from '../tokens/agentTokens.ts'
import { listAudiences } from './listAudiences.ts'
import { type ProofAudience, type ProofFinding, type ProvableAgent, wrongProof } from './proof.ts'

export type VerifyAgentTokenDeps = { agentTokens: Pick<AgentTokens, 'verifyFor'> }

type TokenInput = {
  agent: ProvableAgent
  audience: ProofAudience
  token: string
  /** Key ids of the valid signatures beside it. */
  signers: readonly string[]
  /** Epoch milliseconds. */
  now: number
}

/**
 * Verifies an agent token that the caller presented to an endpoint.
 *
 * It is valid there only, and any number of times until it expires; later, it counts only for a request that was held with
 * it. One that is bound to a key counts only beside a signature by that key, and any only while the account that obtained it
 * signs for the agent. Tokens of the former release do not name that account. Source: docs/agents.md; RFC 7800 §3.1.
 */
export async function verifyAgentToken(
  { agentTokens }: VerifyAgentTokenDeps,
  { agent, audience, token: presented, signers, now }: TokenInput,
): Promise<ProofFinding> {
  const claims = await agentTokens.verifyFor(listAudiences(audience), presented, now)
  if (typeof claims === 'string') return wrongProof(claims)
  if (claims.svcId !== agent.svcId) return wrongProof('other_agent')
  if (claims.jkt !== null && !signers.includes(claims.jkt)) return wrongProof('other_holder')
  const obtainer = claims.findObtainer?.(agent.obtainers)
  if (claims.findObtainer !== null && obtainer === undefined) return wrongProof('account_revoked')
  const { tokenId, expiresAt, hasExpired } = claims
  const token = { tokenId, expiresAt }
  return { found: 'valid', kid: claims.jkt, obtainer, use: null, token, hasExpired }
}
