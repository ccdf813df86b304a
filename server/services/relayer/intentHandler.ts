import type { ContractCall, EventPosition, Receipt } from '../../chain/chainTypes.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'

/** A database transaction, as the stores take it. */
export type Trx = Parameters<OutboxStore['add']>[0]

/** What a handler knows besides its intent. */
export type HandlerContext = {
  deployment: Deployment
  /** Newest block of the chain. */
  headBlock: number
  /** Whether something may be on chain that the outbox does not know of, so that a handler has to look. */
  mustLook: boolean
  /** Epoch milliseconds. */
  now: number
}

/** What is to be done about an intent; `fail` is for good. */
export type Preparation =
  | { next: 'send'; call: ContractCall; gas: bigint }
  | { next: 'adopt'; place: EventPosition; result: unknown }
  | { next: 'wait'; why: string; retryMs: number }
  | { next: 'fail'; why: string }

/** An intent that a block holds, and what its handler read there. */
type MinedIntent = { intent: Intent; place: { hash: string; block: number }; result: unknown }

/**
 * What one kind of intent means. The relayer knows transactions; only handlers know contracts and the rows that
 * change with them. The `when…` functions write in the transaction that records the step, so that no crash parts them.
 */
export type IntentHandler = {
  /** Whether a later intent of this kind has to wait for the earlier ones. */
  isOrdered?: true
  /** Builds the call, or finds that it is there already. Called again whenever the intent lost its nonce. */
  prepare(intent: Intent, context: HandlerContext): Promise<Preparation>
  /** What to remember of a receipt; has to survive JSON. */
  resultOf?(receipt: Receipt, context: HandlerContext): unknown
  whenMined?(trx: Trx, mined: MinedIntent): Promise<void>
  /** The block is gone. */
  whenUnmined?(trx: Trx, intent: Intent, now: number): Promise<void>
  whenConfirmed?(trx: Trx, mined: MinedIntent, context: HandlerContext): Promise<void>
  whenFailed?(trx: Trx, intent: Intent, context: HandlerContext): Promise<void>
  /** Tells others after the commit of `whenUnmined` or `whenFailed`; not repeated. */
  takenBack?(intent: Intent): Promise<void>
  /** Tells others after the commit; repeated until it succeeds. */
  tell?(intent: Intent): Promise<void>
}
