import type { Knex } from 'knex'
import { deleteExpired } from '../database/expiredRowsStore.ts'

/** Counted attempts; times are epoch milliseconds, 0 for never. */
export type Attempts = {
  /** Attempts in the current window. */
  taken: number
  windowEndsAt: number
  /** Number of consecutive lockouts. */
  locks: number
  lockedUntil: number
  /** When all of this expires. */
  forgetAt: number
}

export type AttemptStore = ReturnType<typeof createAttemptStore>

/** Counts attempts to guess secrets, for all processes and across restarts; read and written in one transaction. */
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

    /** Stores the count, and deletes expired ones. */
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
