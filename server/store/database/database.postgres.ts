import type { Knex } from 'knex'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import { POSTGRES_LOCKS, type PostgresOptions } from './buildPostgresConnection.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import { migratePostgres } from './migratePostgres.ts'
import { openPostgresPool } from './openPostgresPool.ts'
import { createWriteLock } from './writeLock.ts'

/** Pool size for everything except the recorder and the projection, which have their own connections. */
const POOL_MAX = 10
const ACQUIRE_MS = 5_000

/**
 * Opens PostgreSQL for use cases, and migrates its tables to this version.
 *
 * Use cases read and then write, and assume that nobody else writes in between. An advisory lock therefore serialises
 * their transactions across all processes. Transactions of this process queue before they take a connection, which
 * leaves the pool to readers. The recorder does not take this lock.
 *
 * @param options Shorter limits than those of the service, and what receives a sentence for the operator.
 * @throws Error with a message for the operator if the database is unreachable or not durable.
 */
export async function openPostgresDatabase(
  url: string,
  { warn, ...limits }: Pick<PostgresOptions, 'statementMs'> & { warn?(sentence: string): void } = {},
): Promise<Db> {
  await migratePostgres(url, warn)
  const query = connect(url, limits)
  const lock = createWriteLock()
  return {
    query,
    transaction: (work) =>
      lock.run(() =>
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
    openPostgresPool(
      url,
      { name: 'use-cases', ...limits },
      { pool: { min: 0, max: POOL_MAX, validate: isFree }, acquireConnectionTimeout: ACQUIRE_MS },
    ),
  )
}

/**
 * Whether a pooled connection has no query in progress. A caller that gives up on an unresponsive connection leaves its
 * query pending, and the next user would wait in vain just as long.
 */
function isFree({ readyForQuery }: { readyForQuery?: boolean }): boolean {
  return readyForQuery !== false
}
