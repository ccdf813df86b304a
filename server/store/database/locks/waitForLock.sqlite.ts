import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { isLockedElsewhere } from '../databaseFailure.ts'
import type { WriteLock } from './writeLock.ts'

/** How long one attempt waits, which blocks the whole process. */
const BUSY_MS = 2
/** Delay before the next attempt, during which the process does other work. */
const RETRY_MS = 10
/**
 * How long statements wait for the same writer; shorter than the recorder's own wait. Later ones are refused at once,
 * because each holds the connection on which others only read.
 */
const WAIT_MAX_MS = 1_000

/**
 * Makes the statements of a knex connection wait for a writer in another process without blocking this one.
 *
 * SQLite itself waits synchronously: with ten workers that write, the process would stand still for ten seconds, and not
 * even answer that it cannot write. knex awaits what a statement returns, so a refused one may return a promise. A
 * transaction that has read an older state fails at once, because no wait makes it valid.
 */
export function waitForLock(connection: Sqlite.Database, writeLock: Refusals): void {
  connection.pragma(`busy_timeout = ${BUSY_MS}`)
  const prepare = connection.prepare.bind(connection)
  connection.prepare = ((text: string) => {
    const statement = prepare(text)
    return {
      reader: statement.reader,
      all: (bindings: unknown[]) => attempt(statement, writeLock, () => statement.all(bindings)),
      run: (bindings: unknown[]) => attempt(statement, writeLock, () => statement.run(bindings)),
    }
  }) as unknown as Sqlite.Database['prepare']
}

type Refusals = Pick<WriteLock, 'report' | 'refusedMs'>

function attempt<Result>(
  statement: Sqlite.Statement,
  writeLock: Refusals,
  run: () => Result,
): Result | Promise<Result> {
  try {
    const result = run()
    // What only reads is never refused.
    if (!statement.readonly) writeLock.report(false)
    return result
  } catch (error) {
    if (!isLockedElsewhere(error)) throw error
    writeLock.report(true)
    if (writeLock.refusedMs() > WAIT_MAX_MS) throw error
    return pause(RETRY_MS).then(() => attempt(statement, writeLock, run))
  }
}
