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
  /** Owner of the browser. */
  userId: string
  /** Null if the host of the browser's address is not stored. */
  hostHash: string | null
  /** Address and keys, sealed. */
  sealed: string
  key: string
  payload: string
  /** Number of attempts, including this one. */
  attempts: number
  expiresAt: number
}

/** How many notifications may be claimed: now, and with those that are being sent, for one account and for one host. */
type PushShares = { limit: number; perAccount: number; perHost: number }

/** Accounts and hosts with full shares, because notifications are still being sent to browsers that are removed. */
type BusyParties = { accounts: readonly string[]; hosts: readonly string[] }

/**
 * The next notification of each browser to which none is being sent, as long as its account and its host have less than
 * their shares under way. The first one of every account precedes the second one of any.
 *
 * An index leads from one browser to the next, however many notifications wait for any of them.
 */
const NEXT_IN_TURN = `
  WITH RECURSIVE browsers (id) AS (
    SELECT MIN(subscription_id) FROM push_messages
    UNION ALL
    SELECT (SELECT MIN(m.subscription_id) FROM push_messages AS m WHERE m.subscription_id > browsers.id)
    FROM browsers WHERE browsers.id IS NOT NULL
  ),
  under_way AS MATERIALIZED (
    SELECT s.id AS browser_id, s.user_id, s.host_hash
    FROM push_messages AS m JOIN push_subscriptions AS s ON s.id = m.subscription_id
    WHERE m.claimed_until > :now
  ),
  due AS (
    SELECT s.user_id, s.host_hash, (
      SELECT m.id FROM push_messages AS m
      WHERE m.subscription_id = s.id AND m.next_attempt_at <= :now
      ORDER BY m.next_attempt_at, m.id LIMIT 1
    ) AS id
    FROM browsers JOIN push_subscriptions AS s ON s.id = browsers.id
    WHERE s.id NOT IN (SELECT browser_id FROM under_way)
      AND s.user_id NOT IN (:accounts) AND COALESCE(s.host_hash, '') NOT IN (:hosts)
  ),
  by_account AS (
    SELECT m.id, m.next_attempt_at, due.user_id, due.host_hash,
      (SELECT COUNT(*) FROM under_way AS u WHERE u.user_id = due.user_id)
        + ROW_NUMBER() OVER (PARTITION BY due.user_id ORDER BY m.next_attempt_at, m.id) AS nth_of_account
    FROM due JOIN push_messages AS m ON m.id = due.id
  ),
  by_host AS (
    SELECT id, next_attempt_at, host_hash, nth_of_account,
      (SELECT COUNT(*) FROM under_way AS u WHERE u.host_hash = by_account.host_hash)
        + ROW_NUMBER() OVER (PARTITION BY host_hash ORDER BY nth_of_account, next_attempt_at, id) AS nth_of_host
    FROM by_account WHERE nth_of_account <= :perAccount
  )
  SELECT id FROM by_host WHERE host_hash IS NULL OR nth_of_host <= :perHost
  ORDER BY nth_of_account, next_attempt_at, id LIMIT :limit`

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

    /**
     * Claims those that are due, one for each browser, until the time at which their attempts count as lost. Whatever is
     * claimed counts towards the shares of its account and its host, in every process, so that those which do not respond
     * delay only their own.
     */
    async claim(
      trx: Knex.Transaction,
      { now, until, except, ...shares }: { now: number; until: number; except: BusyParties } & PushShares,
    ): Promise<ClaimedPushMessage[]> {
      const [accounts, hosts] = [listOf(trx, except.accounts), listOf(trx, except.hosts)]
      const claimed = await trx('push_messages')
        .whereRaw(`id IN (${NEXT_IN_TURN})`, { now, ...shares, accounts, hosts })
        .update({ claimed_until: until, attempts: trx.raw('attempts + 1') })
        .returning(['id'])
      const rows = await trx('push_messages as m')
        .join('push_subscriptions as s', 's.id', 'm.subscription_id')
        .select({
          ...{ id: 'm.id', subscriptionId: 's.id', userId: 's.user_id', hostHash: 's.host_hash' },
          ...{ sealed: 's.sealed', key: 'm.message_key', payload: 'm.payload' },
          ...{ attempts: 'm.attempts', expiresAt: 'm.expires_at' },
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

/** Values for `NOT IN`, which needs at least one: no identifier is 'nothing'. */
function listOf(trx: Knex.Transaction, names: readonly string[]): Knex.Raw {
  const values = ['nothing', ...names]
  return trx.raw(values.map(() => '?').join(', '), values)
}
