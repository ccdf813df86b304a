import { createHmac, hkdfSync } from 'node:crypto'
import { z } from 'zod'
import { createPerKey, type PrivateJwk } from '../keys/keyRing.ts'
import { createOwnTokens, type OwnTokensOptions, type WrongToken } from './ownTokens.ts'

/** Claims of an agent token. */
type AgentClaims = {
  svcId: string
  /** UUID of this token. */
  tokenId: string
}

/** Claims of an agent token for an endpoint. */
type AudienceClaims = AgentClaims & {
  /** Thumbprint of the key that has to present it; null if any caller may. */
  jkt: string | null
  /** Finds the Ethereum account that obtained it among some, in lower case; null if the token does not name it. */
  findObtainer: ((accounts: readonly string[]) => string | undefined) | null
  /** Epoch milliseconds. */
  expiresAt: number
  hasExpired: boolean
}

export type AgentTokens = {
  /**
   * Signs a token for this service, or for the endpoint that `audience` names. `obtainer` is the Ethereum account that
   * asks for it, in lower case.
   */
  sign(
    claims: AgentClaims & { audience?: string; jkt?: string; obtainer?: string },
    now: number,
  ): Promise<string>
  /** Returns the claims of a token for this service that is valid at `now`, otherwise null. */
  verify(token: string, now: number): Promise<AgentClaims | null>
  /** Returns the claims of a token for an endpoint, also of one that has expired, or what is wrong with it. */
  verifyFor(audiences: readonly string[], token: string, now: number): Promise<AudienceClaims | WrongToken>
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
  const claims = { cnf: z.object({ jkt: z.string() }).optional(), obtained_by: z.string().optional() }
  const tagKeyOf = createPerKey(deriveTagKey)
  const tokens = createOwnTokens(options, {
    ...{ type: 'agent+jwt', use: 'agent', lifetimeSeconds: LIFETIME_SECONDS, claims },
  })
  return {
    lifetimeSeconds: LIFETIME_SECONDS,
    sign({ svcId, tokenId, audience, jkt, obtainer }, now) {
      const key = tagKeyOf(options.keys.signing(now))
      const more = {
        ...(jkt === undefined ? {} : { cnf: { jkt } }),
        ...(obtainer === undefined ? {} : { obtained_by: tagOf(key, tokenId, obtainer) }),
      }
      return tokens.sign(svcId, tokenId, more, now, audience)
    },

    async verify(token, now) {
      const found = await tokens.verify(token, now)
      return found && { svcId: found.sub, tokenId: found.jti }
    },

    async verifyFor(audiences, token, now) {
      const found = await tokens.read(token, now, audiences)
      if (typeof found === 'string') return found
      const { sub: svcId, jti: tokenId, exp, cnf, obtained_by: tag } = found.claims
      const keys = options.keys.published(now).map(tagKeyOf)
      const isOf = (account: string) => keys.some((key) => tagOf(key, tokenId, account) === tag)
      const findObtainer = tag === undefined ? null : (accounts: readonly string[]) => accounts.find(isOf)
      const times = { expiresAt: exp * 1000, hasExpired: found.hasExpired }
      return { svcId, tokenId, jkt: cnf?.jkt ?? null, findObtainer, ...times }
    },
  }
}

/** Source: RFC 5869. */
function deriveTagKey({ d }: PrivateJwk): Uint8Array {
  const secret = Buffer.from(d, 'base64url')
  return new Uint8Array(hkdfSync('sha256', secret, '', 'svc-agent-token-obtainer', 32))
}

/**
 * Names an account only to whoever has the key, and differently in each token: counterparties read tokens, and wallets that
 * are only linked concern nobody but their owner. Source: RFC 2104.
 */
function tagOf(key: Uint8Array, tokenId: string, account: string): string {
  return createHmac('sha256', key)
    .update(`${tokenId}\n${account}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
