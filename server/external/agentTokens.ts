import { createOwnTokens, type OwnTokensOptions } from './ownTokens.ts'

/** Claims of an agent token. */
type AgentClaims = {
  svcId: string
  /** UUID of this token. */
  tokenId: string
}

export type AgentTokens = {
  sign(claims: AgentClaims, now: number): Promise<string>
  /** Returns the claims of a token that is valid at `now`, otherwise null. */
  verify(token: string, now: number): Promise<AgentClaims | null>
  lifetimeSeconds: number
}

const LIFETIME_SECONDS = 15 * 60

/**
 * Signs and verifies agent tokens, which name an agent that has just proven its key. They are valid for 15 minutes and
 * grant no access.
 *
 * Source: `Spec: Authentication` 3, 9.
 */
export async function createAgentTokens(options: OwnTokensOptions): Promise<AgentTokens> {
  const kind = { type: 'agent+jwt', use: 'agent', lifetimeSeconds: LIFETIME_SECONDS, claims: {} }
  const tokens = await createOwnTokens(options, kind)
  return {
    lifetimeSeconds: LIFETIME_SECONDS,
    sign: ({ svcId, tokenId }, now) => tokens.sign(svcId, tokenId, {}, now),

    async verify(token, now) {
      const found = await tokens.verify(token, now)
      return found && { svcId: found.sub, tokenId: found.jti }
    },
  }
}
