import type { Knex } from 'knex'
import type { QueryConfig } from 'pg'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import type { PostgresOptions } from './buildPostgresConnection.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import type { LockName } from './lockName.ts'
import { advisoryLocks } from './locks.advisory.ts'
import type { Locks } from './locks.ts'
import { migratePostgres } from './migratePostgres.ts'
import { openPostgresPool } from './openPostgresPool.ts'
import { createWriterQueue } from './writerQueue.ts'

/** Pool size for everything except the recorder and the projection, which have their own connections. */
const POOL_MAX = 10
/** Maximum number of transactions of use cases in a process; the rest of the pool is for readers. */
const WRITERS_MAX = 5
const ACQUIRE_MS = 5_000
/** Maximum number of attempts for a transaction that lost a deadlock. */
const TRIES_MAX = 4
/** SQLSTATEs of failures that were rolled back and may succeed on a retry: serialisation failure and deadlock. */
const TRY_AGAIN = /^(40001|40P01)$/

/**
 * Opens PostgreSQL for use cases, and migrates its tables to this version.
 *
 * Use cases read and then write, and assume that nobody else writes in between. A transaction that names what it changes
 * takes the lock of use cases shared, and then the locks of its names in their order; one without names takes the lock of
 * use cases exclusively. Transactions of this process queue in the same way before they take a connection, which leaves the
 * pool to readers. The recorder does not take these locks, and locks rows in its own order: a transaction that loses a
 * deadlock to it runs again.
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
  const writers = createWriterQueue(WRITERS_MAX)
  return {
    query,
    transaction: (work, changes) =>
      writers.run(changes, () =>
        translateFailure(
          retryDeadlocks(() =>
            query.transaction(async (trx) => {
              for (const lock of listLocks(advisoryLocks, changes)) await runOn(trx, lock)
              return withRecordsAtCommit(work)(trx)
            }),
          ),
        ),
      ),
    close: () => query.destroy(),
  }
}

function listLocks(locks: Locks, changes: readonly LockName[] | undefined): QueryConfig[] {
  if (changes === undefined) return [locks.exclusive('useCases')]
  return [locks.shared('useCases'), ...(changes.length > 0 ? [locks.named(changes)] : [])]
}

/** The statements of locks have at most one value. */
async function runOn(trx: Knex.Transaction, { text, values = [] }: QueryConfig): Promise<void> {
  await trx.raw(text.replace('$1', '?'), values)
}

async function retryDeadlocks<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const { code } = (error ?? {}) as { code?: unknown }
      if (!TRY_AGAIN.test(String(code)) || tries === TRIES_MAX) throw error
    }
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
