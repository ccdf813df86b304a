import type { Knex } from 'knex'

/** The open database: reads by `query`, every write of more than one statement by `transaction`. */
export type Db = {
  query: Knex
  /**
   * One at a time, in all processes over the database.
   *
   * @param role What it is to a request under an Idempotency-Key (`createClaimedWrites`): the `answer` it returns is kept
   *   with the key; a `look` writes nothing.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>, role?: 'answer' | 'look'): Promise<T>
  close(): Promise<void>
}
