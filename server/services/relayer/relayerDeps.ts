import type { ChainClient } from '../../chain/chainClient.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { TransactionStore } from '../../store/relayer/transactionStore.ts'
import type { IntentHandler, Trx } from './intentHandler.ts'
import type { IntentKind } from './intents.ts'

/** The relayer's spending limits, and how long it waits for a transaction. */
export type RelayerPolicy = {
  /** Depth at which a transaction counts as final; the block that contains it is the first. */
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
  /** In gwei per 24 hours; null on a chain without real money. */
  dailyBudgetGwei: number | null
  /** The largest shares of the budget for one account, and for what is asked for from one network; from 0 to 1. */
  accountShare: number
  networkShare: number
  /**
   * Age at which an unmined transaction is sent to the node again, and how long its receipt is looked for once its nonce
   * has been used.
   */
  resendMs: number
  /** Age at which an unmined transaction is replaced by one with higher fees. */
  replaceMs: number
}

/** Runs a write in a transaction, and only if this process still holds the relayer lease. */
export type WhileLeaseHeld = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>

export type RelayerDeps = {
  stores: { outbox: OutboxStore; transactions: TransactionStore }
  whileLeaseHeld: WhileLeaseHeld
  chain: ChainClient
  handlers: Record<IntentKind, IntentHandler>
  policy: RelayerPolicy
  clock: () => number
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}
