import type { Knex } from 'knex'

/** A notification for every browser of some people; times in epoch milliseconds. */
export type NewPushMessage = {
  /** Identifies the notification, so that a repeated request sends it once. */
  key: string
  payload: string
  now: number
  /** When it becomes useless to its reader. */
  expiresAt: number
}

/** A notification claimed for sending, with the browser that it is for. */
export type ClaimedPushMessage = {
  id: number
  subscriptionId: string
  /** Address and keys, sealed. */
  sealed: string
  key: string
  payload: string
  /** Number of attempts, including this one. */
  attempts: number
  expiresAt: number
}

export type PushMessageStore = ReturnType<typeof createPushMessageStore>

/**
 * The durable outbox of notifications: rows are written in the transaction that they report on, claimed by one UPDATE, and
 * deleted once sent.
 *
 * An expired claim can be taken again, so a notification is sent at least once; the browser replaces one that it has.
 */
export function createPushMessageStore() {
  return {
    /** Requests a notification for every browser of these people. */
    async add(trx: Knex.Transaction, userIds: readonly string[], message: NewPushMessage): Promise<void> {
      const browsers: { id: string }[] = await trx('push_subscriptions')
        .select('id')
        .whereIn('user_id', [...userIds])
      if (browsers.length === 0) return
      await trx('push_messages')
        .insert(
          browsers.map(({ id }) => ({
            subscription_id: id,
            message_key: message.key,
            payload: message.payload,
            attempts: 0,
            next_attempt_at: message.now,
            expires_at: message.expiresAt,
          })),
        )
        .onConflict(['subscription_id', 'message_key'])
        .ignore()
    },

    /** Claims those that are due, oldest first; skips those that another process has claimed. */
    async claim(
      trx: Knex.Transaction,
      { now, until, limit }: { now: number; until: number; limit: number },
    ): Promise<ClaimedPushMessage[]> {
      const due = (rows: Knex.QueryBuilder) =>
        rows
          .where('next_attempt_at', '<=', now)
          .where((free) => free.whereNull('claimed_until').orWhere('claimed_until', '<=', now))
      const next = due(trx('push_messages').select('id'))
        .orderBy([{ column: 'next_attempt_at' }, { column: 'id' }])
        .limit(limit)
      const claimed = await due(trx('push_messages').whereIn('id', next))
        .update({ claimed_until: until, attempts: trx.raw('attempts + 1') })
        .returning(['id'])
      const rows = await trx('push_messages as m')
        .join('push_subscriptions as s', 's.id', 'm.subscription_id')
        .select({
          ...{ id: 'm.id', subscriptionId: 's.id', sealed: 's.sealed', key: 'm.message_key' },
          ...{ payload: 'm.payload', attempts: 'm.attempts', expiresAt: 'm.expires_at' },
        })
        .whereIn(
          'm.id',
          claimed.map(({ id }) => id),
        )
        .orderBy('m.id')
      return rows.map((row) => ({ ...row, expiresAt: Number(row.expiresAt) }))
    },

    /** Deletes one that was sent, or given up. */
    async settle(trx: Knex.Transaction, id: number): Promise<void> {
      await trx('push_messages').where({ id }).delete()
    },

    /** Returns a claimed one for a later attempt. */
    async retryAt(trx: Knex.Transaction, id: number, nextAttemptAt: number): Promise<void> {
      await trx('push_messages').where({ id }).update({ next_attempt_at: nextAttemptAt, claimed_until: null })
    },
  }
}
