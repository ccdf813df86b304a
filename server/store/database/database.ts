import type { Knex } from 'knex'

/** The open database: `query` for reads, `transaction` for every write of more than one statement. */
export type Db = {
  query: Knex
  /**
   * Runs transactions one at a time across all processes of the database.
   *
   * @param role The transaction's role in a request under an Idempotency-Key (`createClaimedWrites`): the result of an
   * `answer` is stored with the key; a `look` writes nothing.
   */
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>, role?: 'answer' | 'look'): Promise<T>
  close(): Promise<void>
}
