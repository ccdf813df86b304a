import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** How often something was tried; times are epoch milliseconds, 0 for never. */
export type Attempts = {
  /** Tries taken in the window that runs. */
  taken: number
  windowEndsAt: number
  /** How often it was locked in a row. */
  locks: number
  lockedUntil: number
  /** From when on none of this counts any more. */
  forgetAt: number
}

export type AttemptStore = ReturnType<typeof createAttemptStore>

/** Counts tries of what must not be guessed, for all processes and over restarts; read and written in one transaction. */
export function createAttemptStore() {
  return {
    async read(trx: Knex.Transaction, subject: string): Promise<Attempts | null> {
      const row = await trx('attempts')
        .select({
          taken: 'taken',
          windowEndsAt: 'window_ends_at',
          locks: 'locks',
          lockedUntil: 'locked_until',
          forgetAt: 'forget_at',
        })
        .where({ subject })
        .first()
      return row ?? null
    },

    /** Stores the count, and forgets those whose time is over. */
    async put(trx: Knex.Transaction, subject: string, attempts: Attempts, now: number): Promise<void> {
      await deleteExpired(trx, 'attempts', now + 1)
      await trx('attempts')
        .insert({
          subject,
          taken: attempts.taken,
          window_ends_at: attempts.windowEndsAt,
          locks: attempts.locks,
          locked_until: attempts.lockedUntil,
          forget_at: attempts.forgetAt,
        })
        .onConflict('subject')
        .merge()
    },

    async clear(trx: Knex.Transaction, subject: string): Promise<void> {
      await trx('attempts').delete().where({ subject })
    },
  }
}
