import type { Knex } from 'knex'
import type { LockName } from './locks/lockName.ts'

/** The open database: `query` for reads, `transaction` for every write of more than one statement. */
export type Db = {
  query: Knex
  /**
   * Runs a transaction isolated from all others, of any process, that could interfere with it.
   *
   * Without `changes` it runs alone. With them, only transactions without names and those that share a name with it wait for
   * each other, so everything that the work reads and then relies on has to be named, or be decided by the statement that
   * writes it. An empty list is for work in which each statement is correct by itself.
   *
   * The work may run again after a deadlock, from its beginning: it must not leave anything outside the transaction.
   * SQLite has one writer and ignores the names.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>, changes?: readonly LockName[]): Promise<T>
  close(): Promise<void>
}
