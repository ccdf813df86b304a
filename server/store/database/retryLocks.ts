import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Knex } from 'knex'
import { codeOf } from './codeOf.ts'
import { isPostgres } from './knexSettings.ts'

/** How often a change of tables is tried that PostgreSQL cancels, because a request waits for it and it for the request. */
const ATTEMPTS_MAX = 10
/** How often one is tried whose tables are in use: with the waiting, for about ten minutes. */
const LOCK_ATTEMPTS_MAX = 400
const PAUSE_MS = 1_000

const DEADLOCK = '40P01'
const LOCK_TIMEOUT = '55P03'

/**
 * Bounds how long a transaction that changes tables waits for one that uses them, such as a backup: requests that come
 * later wait behind it, and give up after two seconds.
 */
export async function limitLockWaits(trx: Knex): Promise<void> {
  if (isPostgres(trx)) await trx.raw("SET LOCAL lock_timeout = '500ms'")
}

/**
 * Repeats a change of tables that requests are using, until no lock prevents it.
 *
 * @throws Error with a sentence for the operator if something keeps a table for longer than that.
 */
export async function retryLocks<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      const code = codeOf(error)
      if (code === LOCK_TIMEOUT && attempts < LOCK_ATTEMPTS_MAX) await pauseFor(PAUSE_MS)
      else if (code === LOCK_TIMEOUT) throw new Error(IN_USE, { cause: error })
      else if (code !== DEADLOCK || attempts >= ATTEMPTS_MAX) throw error
    }
  }
}

const IN_USE =
  'A table has been in use for ten minutes, perhaps by a backup or a forgotten transaction, so it could not be migrated: ' +
  'end what uses it, and start again'
