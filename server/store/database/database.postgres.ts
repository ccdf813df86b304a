import knex, { type Knex } from 'knex'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import { KNEX_SETTINGS } from './knexSettings.ts'
import { migratePostgres } from './migratePostgres.ts'
import { POSTGRES_LOCKS, type PostgresOptions, postgresConnection } from './postgresConnection.ts'
import { createWriteLock } from './writeLock.ts'

/** Connections for everything but the recorder and the projection, which have their own. */
const POOL_MAX = 10
const ACQUIRE_MS = 5_000

/**
 * Opens PostgreSQL for use cases, and brings its tables to this version.
 *
 * Use cases read and then write, and were written for a database where nobody else writes in between. So their
 * transactions are one at a time here as well, in all processes together, by one advisory lock; those of this process
 * wait their turn before they take a connection, which leaves the pool to the readers. The recorder takes no part in it.
 *
 * @param limits For those who wait less than the service does.
 * @throws Error with a sentence for the operator when it cannot be reached or loses what it has answered.
 */
export async function openPostgresDatabase(
  url: string,
  limits: Pick<PostgresOptions, 'statementMs'> = {},
): Promise<Db> {
  await migratePostgres(url)
  const query = connect(url, limits)
  const turns = createWriteLock()
  return {
    query,
    transaction: (work) =>
      turns.run(() =>
        translateFailure(
          query.transaction(async (trx) => {
            await trx.raw(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCKS.useCases})`)
            return withRecordsAtCommit(work)(trx)
          }),
        ),
      ),
    close: () => query.destroy(),
  }
}

function connect(url: string, limits: Pick<PostgresOptions, 'statementMs'>): Knex {
  return translateFailuresOf(
    knex({
      ...KNEX_SETTINGS,
      client: 'pg',
      connection: postgresConnection(url, { name: 'use-cases', ...limits }),
      pool: { min: 0, max: POOL_MAX, validate: isFree },
      acquireConnectionTimeout: ACQUIRE_MS,
    }),
  )
}

/**
 * Whether nothing is under way on a connection of the pool. One that fell silent was given up by whoever waited for it, and
 * still holds the question: whoever asks next would wait for nothing as long again.
 */
function isFree({ readyForQuery }: { readyForQuery?: boolean }): boolean {
  return readyForQuery !== false
}
