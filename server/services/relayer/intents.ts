import { z } from 'zod'
import type { Hex } from '../../chain/chainTypes.ts'

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value), 'hex')
const address = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value),
  'address',
)
/** Our registry counts from 1, those of others may from 0. */
const agentId = z.string().regex(/^(0|[1-9]\d*)$/)

/**
 * What the relayer can be asked to put on chain, and the payload of each kind, as stored in the outbox.
 *
 * - `identity.mint`: a new ERC-8004 identity; with the owner's consent (EIP-712, `registerFor`) the token is the
 *   owner's from the start, without it the relayer mints and then transfers, or keeps the token for an owner without a
 *   wallet (`owner` null).
 * - `identity.transfer`: the second half of a mint without consent; queued by the relayer itself.
 * - `identity.handOver`: a token that the relayer keeps, to a wallet that its owner has linked since.
 * - `identity.setUri`: another URI for a token that the relayer may act for.
 * - `identity.placeholder`: an identity that is nobody's, so that a replayed registry gives the following ones the
 *   ids they had.
 * - `reputation.feedback`: what a counterparty decided about an agent.
 * - `audit.anchor`: one sealed batch of the audit log.
 * - `nonce.fill`: an empty transaction at a nonce that would hold up the ones above it.
 *
 * Numbers that may pass 2^53 are decimal strings. Source: onchain.md "Relayer".
 */
export const INTENT_PAYLOADS = {
  'identity.mint': z.object({
    svcId: z.string(),
    owner: address.nullable(),
    agentURI: z.string(),
    metadata: z.array(z.object({ metadataKey: z.string(), metadataValue: hex })),
    consent: z.object({ deadline: z.string().regex(/^\d+$/), signature: hex }).nullable(),
  }),
  'identity.transfer': z.object({
    svcId: z.string(),
    owner: address,
    agentId,
    /** Transaction and block of the mint, which are the agent's chain record. */
    transaction: hex,
    block: z.number().int().nonnegative(),
  }),
  'identity.handOver': z.object({ svcId: z.string(), agentId, to: address }),
  'identity.setUri': z.object({ svcId: z.string(), agentId, uri: z.string() }),
  'identity.placeholder': z.object({ agentId }),
  'reputation.feedback': z.object({
    svcId: z.string(),
    value: z.number().int(),
    tag1: z.string(),
    tag2: z.string(),
    feedbackURI: z.string(),
    feedbackHash: hex,
  }),
  'audit.anchor': z.object({ batch: z.number().int().positive() }),
  'nonce.fill': z.object({ nonce: z.number().int().nonnegative() }),
} as const

export type IntentKind = keyof typeof INTENT_PAYLOADS

/**
 * The kinds that come before the others and have a part of the daily budget to themselves: whoever registers agents
 * orders mints, and must not hold up the audit log with them. A gap would hold the anchors behind it up.
 */
export const ANCHORING_KINDS: readonly IntentKind[] = ['nonce.fill', 'audit.anchor']
export type IntentPayload<K extends IntentKind> = z.infer<(typeof INTENT_PAYLOADS)[K]>

/**
 * Idempotency keys: the same thing asked for twice is one row of the outbox. A hand-over and a URI can be asked for again
 * once they are done or given up (`addAgain`), so there is one row of each for an agent.
 */
export const intentKey = {
  mint: (svcId: string) => `mint:${svcId}`,
  transfer: (svcId: string) => `transfer:${svcId}`,
  handOver: (svcId: string) => `handOver:${svcId}`,
  setUri: (svcId: string) => `setUri:${svcId}`,
  placeholder: (agentId: string) => `placeholder:${agentId}`,
  feedback: (sessionId: string) => `feedback:${sessionId}`,
  anchor: (logId: string, batch: number) => `anchor:${logId}:${batch}`,
  fill: (sender: string, nonce: number) => `fill:${sender}:${nonce}`,
} as const
