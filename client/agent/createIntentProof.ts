import {
  INTENT_FACTS,
  INTENT_SECONDS_MAX,
  INTENT_TYPE,
  type IntentClaims,
  type IntentFact,
  parseIntentClaims,
} from '@svc/core/signing/intentClaims.ts'
import { computeContentDigest } from '../http/sha256.ts'
import type { AgentSigner } from './agentSigner.ts'
import { createNonce } from './createNonce.ts'
import { signJws } from './signJws.ts'

/** What an agent commits to, and towards whom. */
export type Intent = Pick<IntentClaims, IntentFact> & {
  /** `SVC-…` */
  agentId: string
  /** The counterparty: its endpoint, `SVCE-…`, or its origin, such as `https://shop.example`. */
  audience: string
  /** The body of the request, in place of its hash. */
  body?: string | Uint8Array | undefined
  /** How long the proof is good, in seconds; default and maximum 60. */
  lifetimeSeconds?: number | undefined
  /** Epoch milliseconds; default the clock. */
  now?: (() => number) | undefined
}

/**
 * Creates an intent proof: a signed statement of what the agent asks of a counterparty, which it presents on any transport
 * (`proof` of `createPresenter`). It is good once.
 *
 * A request that the counterparty reports with other facts is denied, so state only facts that it reports as well.
 *
 * @throws Error for an Ethereum account, and if a fact is invalid.
 * Source: RFC 7515; docs/agents.md.
 */
export async function createIntentProof(signer: AgentSigner, intent: Intent): Promise<string> {
  const { agentId, audience, body, lifetimeSeconds = INTENT_SECONDS_MAX, now = Date.now, ...facts } = intent
  if (signer.algorithm === undefined) throw new Error('an intent proof needs an Ed25519 or P-256 key')
  const iat = Math.floor(now() / 1000)
  const parsed = parseIntentClaims({
    ...facts,
    ...{ iss: agentId, aud: audience, iat, exp: iat + Math.floor(lifetimeSeconds), jti: createNonce() },
    ...(body === undefined ? {} : { bodyHash: await computeContentDigest(body) }),
  })
  // A misspelt fact would silently not be committed to.
  const unknown = Object.keys(facts).filter((name) => !INTENT_FACTS.some((fact) => fact === name))
  const invalid = [...unknown, ...(parsed.ok ? [] : parsed.invalid.map(nameOf))]
  if (!parsed.ok || unknown.length > 0) throw new Error(`the intent is invalid: ${invalid.join(', ')}`)
  return signJws(signer, INTENT_TYPE, parsed.claims)
}

/** Options have other names than claims. */
function nameOf(claim: string): string {
  return { iss: 'agentId', aud: 'audience', exp: 'lifetimeSeconds' }[claim] ?? claim
}
