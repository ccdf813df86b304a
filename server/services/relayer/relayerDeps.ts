import type { ChainClient } from '../../chain/chainClient.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import type { TransactionStore } from '../../store/relayer/transactionStore.ts'
import type { IntentHandler, Trx } from './intentHandler.ts'
import type { IntentKind } from './intents.ts'

/** What the relayer may spend, and when it loses patience. */
export type RelayerPolicy = {
  /** Blocks until a transaction counts as final; the block that holds it is the first. */
  confirmations: number
  /** In wei per gas. */
  maxFeePerGas: bigint
  /** In gwei over 24 hours; null where money is free. */
  dailyBudgetGwei: number | null
  /**
   * Age at which a transaction that no block holds is handed to the node again, and time for which it is looked for
   * once its nonce is used.
   */
  resendMs: number
  /** Age at which it is replaced by a dearer one. */
  replaceMs: number
}

/** Runs a write only while this process is the relayer. */
export type Fenced = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>

export type RelayerDeps = {
  stores: { outbox: OutboxStore; transactions: TransactionStore }
  fenced: Fenced
  chain: ChainClient
  handlers: Record<IntentKind, IntentHandler>
  policy: RelayerPolicy
  clock: () => number
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}
