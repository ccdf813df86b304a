import type { ContractCall, EventPosition, Hex, Receipt } from '../../chain/chainTypes.ts'
import type { Deployment } from '../../store/relayer/deploymentStore.ts'
import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { IntentKind } from './intents.ts'

/** A database transaction, as the stores take it. */
export type Trx = Parameters<OutboxStore['add']>[0]

/** What a handler knows besides its intent. */
export type HandlerContext = {
  deployment: Deployment
  /** The account that sends what is new. */
  relayer: Hex
  /** Newest block of the chain. */
  headBlock: number
  /** Whether the chain may hold transactions that the outbox does not know, so that the handler must search for its own. */
  mustSearch: boolean
  /** Epoch milliseconds. */
  now: number
}

/** The next step for an intent; `from` is the relayer unless it says otherwise, and `fail` is permanent. */
export type Preparation =
  | { next: 'send'; call: ContractCall; gas: bigint; from?: Hex }
  | { next: 'adopt'; place: EventPosition; result: unknown }
  | { next: 'wait'; why: string; retryMs: number }
  | { next: 'fail'; why: string }

/** An intent that has been mined, and what its handler read from the receipt. */
type MinedIntent = { intent: Intent; place: { hash: string; block: number }; result: unknown }

/**
 * Defines one kind of intent. The relayer knows transactions; only handlers know contracts, and the rows that change with
 * them. The `when…` functions write in the transaction that records the step, so that a crash cannot separate the two.
 */
export type IntentHandler = {
  /** Whether later intents of this kind have to wait for earlier ones. */
  isOrdered?: true
  /** Names the sequence in which an ordered intent waits; by default, its kind. */
  orderOf?(intent: Intent): string
  /** Whether `prepare` may name a `from` other than the relayer. Others are not prepared while the relayer has no room. */
  choosesSender?: true
  /** Builds the call, or finds that it has been made already. Called again whenever the intent has lost its nonce. */
  prepare(intent: Intent, context: HandlerContext): Promise<Preparation>
  /** Extracts the result to store from a receipt; it must survive JSON. */
  resultOf?(receipt: Receipt, context: HandlerContext): unknown
  whenMined?(trx: Trx, mined: MinedIntent): Promise<void>
  /** Called when the transaction's block has left the chain. */
  whenUnmined?(trx: Trx, intent: Intent, now: number): Promise<void>
  whenConfirmed?(trx: Trx, mined: MinedIntent, context: HandlerContext): Promise<void>
  whenFailed?(trx: Trx, intent: Intent, context: HandlerContext): Promise<void>
  /** Notifies others after the commit of `whenUnmined` or `whenFailed`; not retried. */
  notifyUndone?(intent: Intent): Promise<void>
  /** Notifies others after the commit of `whenConfirmed`; retried until it succeeds. */
  notifyConfirmed?(intent: Intent): Promise<void>
}

/** Returns the handler of an intent. @throws Error for a kind that this version does not know. */
export function handlerOf(handlers: Record<IntentKind, IntentHandler>, intent: Intent): IntentHandler {
  const handler = (handlers as Record<string, IntentHandler | undefined>)[intent.kind]
  if (handler === undefined) throw new Error(`no handler for ${intent.kind}, intent ${intent.id}`)
  return handler
}
