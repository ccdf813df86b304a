import { ERASURE_STEPS } from '@svc/core/erasureSteps.ts'
import type { Knex } from 'knex'

/** A requested erasure; times are epoch milliseconds. */
export type Erasure = {
  /** Internal id of the account. */
  userId: string
  requestedAt: number
  eraseAt: number
  /** The next step; `done` after the last. */
  step: (typeof ERASURE_STEPS)[number] | 'done'
  /** How far the step has come: the last log index whose record is erased, −1 for none. */
  cursor: number
}

const COLUMNS = {
  userId: 'user_id',
  requestedAt: 'requested_at',
  eraseAt: 'erase_at',
  step: 'step',
  cursor: 'cursor',
}

export type ErasureStore = ReturnType<typeof createErasureStore>

/** Stores which accounts are to be erased, and how far each erasure has come. */
export function createErasureStore(query: Knex) {
  return {
    /** Reads the erasure of an account; null if none was requested. */
    async of(userId: string, run: Knex = query): Promise<Erasure | null> {
      const row = await run('account_erasures').select(COLUMNS).where({ user_id: userId }).first()
      return row ? erasureOf(row) : null
    },

    /** Requests an erasure; nothing changes if there is one. */
    async add(
      trx: Knex.Transaction,
      { userId, requestedAt, eraseAt }: Pick<Erasure, 'userId' | 'requestedAt' | 'eraseAt'>,
    ): Promise<void> {
      await trx('account_erasures')
        .insert({ user_id: userId, requested_at: requestedAt, erase_at: eraseAt, step: ERASURE_STEPS[0] })
        .onConflict('user_id')
        .ignore()
    },

    /** Withdraws an erasure; false if there is none, or it has begun. */
    async withdraw(trx: Knex.Transaction, userId: string): Promise<boolean> {
      return (await trx('account_erasures').delete().where({ user_id: userId, step: ERASURE_STEPS[0] })) > 0
    },

    /** Claims an erasure that is due and that nobody works on; null if there is none. */
    async claim(
      trx: Knex.Transaction,
      { now, until }: { now: number; until: number },
    ): Promise<Erasure | null> {
      const due = await trx('account_erasures')
        .select(COLUMNS)
        .where('erase_at', '<=', now)
        .whereRaw('erased_at IS NULL')
        .where('claimed_until', '<=', now)
        .orderBy('erase_at')
        .first()
      if (!due) return null
      const claimed = await trx('account_erasures')
        .update({ claimed_until: until })
        .where({ user_id: due.userId })
        .where('claimed_until', '<=', now)
      return claimed > 0 ? erasureOf(due) : null
    },

    /** Stores the progress of an erasure and ends the claim; false if another process has moved it on. */
    async advance(
      trx: Knex.Transaction,
      before: Erasure,
      after: Pick<Erasure, 'step' | 'cursor'> & { now: number },
    ): Promise<boolean> {
      const moved = await trx('account_erasures')
        .update({
          step: after.step,
          cursor: after.cursor,
          claimed_until: 0,
          erased_at: after.step === 'done' ? after.now : null,
        })
        .where({ user_id: before.userId, step: before.step, cursor: before.cursor })
      return moved > 0
    },
  }
}

function erasureOf(row: Record<keyof typeof COLUMNS, unknown>): Erasure {
  return {
    userId: String(row.userId),
    requestedAt: Number(row.requestedAt),
    eraseAt: Number(row.eraseAt),
    step: row.step as Erasure['step'],
    cursor: Number(row.cursor),
  }
}
