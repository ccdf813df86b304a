import type { Knex } from 'knex'
import type { Db } from './database.ts'

/** The `traceparent` of the span in which a transaction was begun; null outside a sampled one. Empty without tracing. */
const parents = new WeakMap<Knex.Transaction, string | null>()

/**
 * Wraps a database so that its transactions know the span in which they were begun, for what they leave to others.
 *
 * @param traceParent Returns the `traceparent` of the running span; null if it is not sampled.
 */
export function traceTransactions<Traced extends Db>(db: Traced, traceParent: () => string | null): Traced {
  return {
    ...db,
    transaction<T>(work: (trx: Knex.Transaction) => Promise<T>, changes?: Parameters<Db['transaction']>[1]) {
      const parent = traceParent()
      return db.transaction((trx) => {
        parents.set(trx, parent)
        return work(trx)
      }, changes)
    },
  }
}

/** Returns the `traceparent` of a transaction; null outside a sampled span, undefined without tracing. */
export function traceParentOf(trx: Knex.Transaction): string | null | undefined {
  return parents.get(trx)
}
