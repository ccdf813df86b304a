import type { Knex } from 'knex'

/** A browser that is notified; its address and keys are sealed. Times in epoch milliseconds. */
export type StoredPushSubscription = {
  id: string
  userId: string
  /** SHA-256 of the address, which identifies the browser. */
  endpointHash: string
  /** SHA-256 of the host in the address, for which notifications are limited. */
  hostHash: string
  sealed: string
  /** As it describes itself; null if unknown. */
  browser: string | null
  createdAt: number
}

export type PushSubscriptionStore = ReturnType<typeof createPushSubscriptionStore>

/** Stores which browsers of an account are notified. */
export function createPushSubscriptionStore(query: Knex) {
  const remove = async (trx: Knex.Transaction, ids: readonly string[]): Promise<void> => {
    await trx('push_messages')
      .whereIn('subscription_id', [...ids])
      .delete()
    await trx('push_subscriptions')
      .whereIn('id', [...ids])
      .delete()
  }
  const idsOf = async (rows: Knex.QueryBuilder): Promise<string[]> =>
    (await rows.select('id')).map(({ id }: { id: string }) => id)

  return {
    /** Reads those of an account, newest first. */
    async ofUser(userId: string): Promise<Pick<StoredPushSubscription, 'id' | 'browser' | 'createdAt'>[]> {
      const rows = await query('push_subscriptions')
        .select({ id: 'id', browser: 'browser', createdAt: 'created_at' })
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at', order: 'desc' }, 'id'])
      return rows.map((row) => ({ ...row, createdAt: Number(row.createdAt) }))
    },

    /**
     * Stores a browser; it is no longer notified for another account, and of an account only the newest `max` stay.
     */
    async put(trx: Knex.Transaction, subscription: StoredPushSubscription, max: number): Promise<void> {
      const { id, userId, endpointHash, hostHash, sealed, browser, createdAt } = subscription
      await remove(trx, await idsOf(trx('push_subscriptions').where({ endpoint_hash: endpointHash })))
      const surplus = trx('push_subscriptions')
        .where({ user_id: userId })
        .orderBy([{ column: 'created_at', order: 'desc' }, 'id'])
        .offset(max - 1)
        .limit(max)
      await remove(trx, await idsOf(surplus))
      await trx('push_subscriptions').insert({
        ...{ id, sealed, browser },
        user_id: userId,
        endpoint_hash: endpointHash,
        host_hash: hostHash,
        created_at: createdAt,
      })
    },

    /** Stores the host of one that has none, because it subscribed before hosts were stored. */
    async setHost(trx: Knex.Transaction, id: string, hostHash: string): Promise<void> {
      await trx('push_subscriptions').where({ id }).whereNull('host_hash').update({ host_hash: hostHash })
    },

    /** Removes one of an account; false if there is none. */
    async removeOwn(trx: Knex.Transaction, userId: string, id: string): Promise<boolean> {
      const ids = await idsOf(trx('push_subscriptions').where({ id, user_id: userId }))
      await remove(trx, ids)
      return ids.length > 0
    },

    /** Removes one that its push service no longer knows. */
    removeDead: (trx: Knex.Transaction, id: string): Promise<void> => remove(trx, [id]),
  }
}
