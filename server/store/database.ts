import type { Knex } from 'knex'

/** The open database: reads by `query`, every write of more than one statement by `transaction`. */
export type Db = {
  query: Knex
  /** One at a time, in all processes over the database. */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}
