import { z } from 'zod'
import { createOwnTokens, type OwnTokensOptions } from './ownTokens.ts'

/** Claims of an agent token. */
type AgentClaims = {
  svcId: string
  /** UUID of this token. */
  tokenId: string
}

/** Claims of an agent token for an endpoint; `jkt` is the thumbprint of the key that has to present it, if any. */
type AudienceClaims = AgentClaims & { jkt: string | null }

export type AgentTokens = {
  /** Signs a token for this service, or for the endpoint that `audience` names. */
  sign(claims: AgentClaims & { audience?: string; jkt?: string }, now: number): Promise<string>
  /** Returns the claims of a token for this service that is valid at `now`, otherwise null. */
  verify(token: string, now: number): Promise<AgentClaims | null>
  /** Returns the claims of a token for an endpoint that is valid at `now`, otherwise null. */
  verifyFor(audiences: readonly string[], token: string, now: number): Promise<AudienceClaims | null>
  lifetimeSeconds: number
}

const LIFETIME_SECONDS = 15 * 60

/**
 * Signs and verifies agent tokens, which name an agent that has just proven its key. They are valid for 15 minutes and grant
 * no access; one for an endpoint proves there whom its bearer acts for.
 *
 * Source: `Spec: Authentication` 3, 9; RFC 7800 §3.1.
 */
export function createAgentTokens(options: OwnTokensOptions): AgentTokens {
  const claims = { cnf: z.object({ jkt: z.string() }).optional() }
  const tokens = createOwnTokens(options, {
    ...{ type: 'agent+jwt', use: 'agent', lifetimeSeconds: LIFETIME_SECONDS, claims },
  })
  return {
    lifetimeSeconds: LIFETIME_SECONDS,
    sign: ({ svcId, tokenId, audience, jkt }, now) =>
      tokens.sign(svcId, tokenId, jkt === undefined ? {} : { cnf: { jkt } }, now, audience),

    async verify(token, now) {
      const found = await tokens.verify(token, now)
      return found && { svcId: found.sub, tokenId: found.jti }
    },

    async verifyFor(audiences, token, now) {
      const found = await tokens.verify(token, now, audiences)
      return found && { svcId: found.sub, tokenId: found.jti, jkt: found.cnf?.jkt ?? null }
    },
  }
}
