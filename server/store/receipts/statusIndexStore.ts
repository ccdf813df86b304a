import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'

/** Stores how many positions of the status lists have been reserved. */
export function createStatusIndexStore({ query, transaction }: Pick<Db, 'query' | 'transaction'>) {
  return {
    /** Reserves `count` consecutive positions for the caller and returns the first. */
    reserve: (count: number): Promise<number> =>
      transaction(async (trx: Knex.Transaction) => {
        await trx('status_indexes').increment('next', count)
        return (await readNext(trx)) - count
      }),

    /** Returns the number of positions reserved so far. */
    size: (): Promise<number> => readNext(query),
  }
}

async function readNext(reader: Knex): Promise<number> {
  const row = await reader('status_indexes').select('next').first()
  return Number(row?.next)
}
