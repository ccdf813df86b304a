import type { Knex } from 'knex'
import type { Client } from 'pg'
import { withRecordsAtCommit } from '../audit/recordsAtCommit.ts'
import { codeOf } from './codeOf.ts'
import type { PostgresOptions } from './connections/buildPostgresConnection.ts'
import { openPostgresPool } from './connections/openPostgresPool.ts'
import { ASK_READ_ONLY, createReadOnlySessions } from './connections/readOnlySessions.postgres.ts'
import type { Db } from './database.ts'
import { translateFailure, translateFailuresOf } from './databaseFailure.ts'
import { chooseFeatures, type DatabaseFeatures, requireSameFeatures } from './databaseFeatures.ts'
import type { LockName } from './locks/lockName.ts'
import { lockOn } from './locks/lockOn.ts'
import type { Locks } from './locks/locks.ts'
import { createWriterQueue } from './locks/writerQueue.ts'
import { migratePostgres } from './migratePostgres.ts'

/** Pool size for everything except the recorder and the projection, which have their own connections. */
const POOL_MAX = 10
/** Maximum number of transactions of use cases in a process; the rest of the pool is for readers. */
const WRITERS_MAX = 5
const ACQUIRE_MS = 5_000
/** Maximum number of attempts for a transaction that lost a deadlock. */
const TRIES_MAX = 4
/** SQLSTATEs of failures that were rolled back and may succeed on a retry: serialisation failure and deadlock. */
const TRY_AGAIN = /^(40001|40P01)$/

/** SQLSTATE of a write in a read-only transaction. Source: PostgreSQL 15 appendix A. */
const READ_ONLY = '25006'

/** The database, and whether use cases can write to it. */
export type PostgresDb = Db & {
  /** Reads on a connection of use cases. @throws Error if it is read-only, or if another was since the last call. */
  requireWritable(): Promise<void>
}

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
 * the pool to readers. Of these locks, the recorder takes only those of proofs, and it locks rows in its own order: a
 * transaction that loses a deadlock to it runs again.
 *
 * @param options Shorter limits than those of the service, what receives a sentence for the operator, and what the
 * database offers.
 * @throws Error with a message for the operator if the database is unreachable, not durable, or used with other
 * features.
 */
export async function openPostgresDatabase(
  url: string,
  { warn, features = chooseFeatures(), ...limits }: OpenOptions = {},
): Promise<PostgresDb> {
  await migratePostgres(url, warn, features)
  const query = connect(url, limits)
  await requireSameFeatures(query, features.name).catch(async (error: unknown) => {
    await query.destroy()
    throw error
  })
  const writers = createWriterQueue(WRITERS_MAX)
  return {
    query,
    requireWritable: createWriteCheck(query),
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
      if (!TRY_AGAIN.test(codeOf(error)) || tries === TRIES_MAX) throw error
    }
  }
}

/** Creates the check that use cases can write. It costs one read, because the health already commits something elsewhere. */
function createWriteCheck(query: Knex): () => Promise<void> {
  let wasRefused = false
  query.on('query-error', (error: unknown) => {
    wasRefused ||= codeOf(error) === READ_ONLY
  })
  return async () => {
    const { rows } = await query.raw(ASK_READ_ONLY)
    const refuses = wasRefused || rows[0]?.isReadOnly === true
    wasRefused = false
    if (refuses)
      throw Object.assign(new Error('PostgreSQL accepts only reads from use cases'), { code: READ_ONLY })
  }
}

function connect(url: string, limits: Pick<PostgresOptions, 'statementMs'>): Knex {
  const { ask, isOutdated } = createReadOnlySessions()
  const validate = (connection: Client) => isFree(connection) && !isOutdated(connection)
  return translateFailuresOf(
    openPostgresPool(
      url,
      { name: 'use-cases', ...limits },
      { pool: { min: 0, max: POOL_MAX, afterCreate: ask, validate }, acquireConnectionTimeout: ACQUIRE_MS },
    ),
  )
}

/**
 * Whether a pooled connection has no query in progress. A caller that gives up on an unresponsive connection leaves its
 * query pending, and the next user would wait in vain just as long.
 */
function isFree({ readyForQuery }: Client & { readyForQuery?: boolean }): boolean {
  return readyForQuery !== false
}
