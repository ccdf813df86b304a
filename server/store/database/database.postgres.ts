import type { Knex } from 'knex'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import type { PostgresOptions } from './buildPostgresConnection.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import { chooseFeatures, type DatabaseFeatures, requireSameFeatures } from './databaseFeatures.ts'
import type { LockName } from './lockName.ts'
import { lockOn } from './lockOn.ts'
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

type OpenOptions = Pick<PostgresOptions, 'statementMs'> & {
  warn?(sentence: string): void
  features?: DatabaseFeatures
}

/**
 * Opens PostgreSQL for use cases, and migrates its tables to this version.
 *
 * Use cases read and then write, and assume that nobody else writes in between. A transaction that names what it changes
 * takes the lock of use cases shared, and then the locks of its names in their order; one without names takes the lock of
 * use cases exclusively. Transactions of this process queue in the same way before they take a connection, which leaves
 * the pool to readers. The recorder does not take these locks, and locks rows in its own order: a transaction that loses a
 * deadlock to it runs again.
 *
 * @param options Shorter limits than those of the service, what receives a sentence for the operator, and what the
 * database offers.
 * @throws Error with a message for the operator if the database is unreachable, not durable, or used with other
 * features.
 */
export async function openPostgresDatabase(
  url: string,
  { warn, features = chooseFeatures(), ...limits }: OpenOptions = {},
): Promise<Db> {
  await migratePostgres(url, warn, features)
  const query = connect(url, limits)
  await requireSameFeatures(query, features.name).catch(async (error: unknown) => {
    await query.destroy()
    throw error
  })
  const writers = createWriterQueue(WRITERS_MAX)
  return {
    query,
    transaction: (work, changes) =>
      writers.run(changes, () =>
        translateFailure(
          retryDeadlocks(() =>
            query.transaction(async (trx) => {
              await lockChanges(trx, features.locks, changes)
              return withRecordsAtCommit(work)(trx)
            }),
          ),
        ),
      ),
    close: () => query.destroy(),
  }
}

async function lockChanges(
  trx: Knex.Transaction,
  locks: Locks,
  changes: readonly LockName[] | undefined,
): Promise<void> {
  if (changes === undefined) {
    await lockOn(trx, locks.exclusive('useCases'))
    return
  }
  for (const statement of locks.shared('useCases')) if (await lockOn(trx, statement)) break
  if (changes.length > 0) await lockOn(trx, locks.named(changes))
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
