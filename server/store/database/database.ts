import type { Knex } from 'knex'

/** The open database: `query` for reads, `transaction` for every write of more than one statement. */
export type Db = {
  query: Knex
  /** Runs transactions one at a time across all processes of the database. */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}
