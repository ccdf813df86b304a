import { z } from 'zod'
import type { Hex } from '../../chain/chainTypes.ts'

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value), 'hex')
const address = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value),
  'address',
)
/** Number of an audit log; intents of earlier versions have none. */
const log = z.number().int().min(0).default(0)
/** Our registry counts from 1; others may count from 0. */
const agentId = z.string().regex(/^(0|[1-9]\d*)$/)

/**
 * The kinds of transactions that the relayer sends, with the payload of each as stored in the outbox.
 *
 * - `identity.mint`: a new ERC-8004 identity. With the owner's consent (EIP-712, `registerFor`) the token belongs to the
 *   owner from the start. Without it, the relayer mints and then transfers the token, or keeps it for an owner without a
 *   wallet (`owner` null).
 * - `identity.transfer`: the second half of a mint without consent, queued by the relayer itself.
 * - `identity.handOver`: transfers a token that the relayer holds to a wallet that its owner has linked since, or to the
 *   relayer's present account.
 * - `identity.setUri`: changes the URI of a token that the relayer may act for.
 * - `identity.placeholder`: an identity without an agent, which keeps the ids of the following ones in a replayed registry.
 * - `reputation.feedback`: a counterparty's decision about an agent.
 * - `audit.open`: opens an audit log besides the first.
 * - `audit.anchor`: one sealed batch of an audit log, by default of the first.
 * - `audit.offer`, `audit.accept`: hand a log over from a former account of the relayer to the present one.
 * - `nonce.fill`: an empty transaction for an unused nonce that blocks the higher ones.
 *
 * Numbers that can exceed 2^53 are decimal strings.
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
    /** Transaction and block of the mint, for the agent's chain record. */
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
    /** Empty. Earlier versions ordered the address of a public proof, which names the counterparty; it is not sent. */
    feedbackURI: z.string(),
    feedbackHash: hex,
  }),
  'audit.open': z.object({ logId: hex }),
  'audit.anchor': z.object({ batch: z.number().int().positive(), log }),
  'audit.offer': z.object({ from: address, to: address, log }),
  'audit.accept': z.object({ from: address, to: address, log }),
  'nonce.fill': z.object({ nonce: z.number().int().nonnegative(), sender: address.optional() }),
} as const

export type IntentKind = keyof typeof INTENT_PAYLOADS

/**
 * Uses up a nonce that nothing else will use, by an empty transaction. It comes before all others and is exempt from the
 * limit on transactions in flight, because nothing else is mined while the gap exists.
 */
export const GAP: IntentKind = 'nonce.fill'

/**
 * The kinds that take precedence and have a share of the daily budget reserved for them, so that registering many agents
 * cannot delay the audit log, in the order in which they are prepared. Filling a gap is one of them, because a gap blocks
 * the anchors behind it, and the hand-over of the log, for which anchors wait.
 */
export const ANCHORING_KINDS: readonly IntentKind[] = [
  'nonce.fill',
  'audit.open',
  'audit.offer',
  'audit.accept',
  'audit.anchor',
]
export type IntentPayload<K extends IntentKind> = z.infer<(typeof INTENT_PAYLOADS)[K]>

type FeedbackKey = { svcId: string; accountId: string; decision: string; period: number }

/**
 * Idempotency keys: a repeated request is the same row of the outbox. A hand-over and a URI change can be requested again
 * after they have succeeded or failed (`addAgain`), so each agent has at most one row of either kind. Feedback can be
 * ordered again after it has failed.
 */
export const intentKey = {
  mint: (svcId: string) => `mint:${svcId}`,
  transfer: (svcId: string) => `transfer:${svcId}`,
  handOver: (svcId: string) => `handOver:${svcId}`,
  keep: (svcId: string, holder: string) => `keep:${svcId}:${holder}`,
  offer: (logId: string, to: string) => `offer:${logId}:${to}`,
  accept: (logId: string, to: string) => `accept:${logId}:${to}`,
  setUri: (svcId: string) => `setUri:${svcId}`,
  placeholder: (agentId: string) => `placeholder:${agentId}`,
  /** One for each account that decides, and for each `period`, by its number. */
  feedback: ({ svcId, accountId, decision, period }: FeedbackKey) =>
    `feedback:${svcId}:${accountId}:${decision}:${period}`,
  open: (logId: string) => `open:${logId}`,
  anchor: (logId: string, batch: number) => `anchor:${logId}:${batch}`,
  fill: (sender: string, nonce: number) => `fill:${sender}:${nonce}`,
} as const
