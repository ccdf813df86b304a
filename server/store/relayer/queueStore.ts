import type { Knex } from 'knex'
import { countCommittedRecords } from '../audit/pendingRecords.ts'

/** Number of waiting rows per queue of the database. */
export type QueueDepths = { mails: number; webhooks: number; feed: number }

/** Counts waiting rows, reading only indexes of waiting rows. */
export function createQueueStore(query: Knex) {
  const waiting = async (table: string, status: string): Promise<number> => {
    const row = await query(table).whereRaw(`status = '${status}'`).count({ count: '*' }).first()
    return Number(row?.count ?? 0)
  }
  return {
    /** Unsettled mails and webhook deliveries, and records not yet in the feed. */
    async depths(): Promise<QueueDepths> {
      const [mails, webhooks, size, state] = await Promise.all([
        waiting('mail_outbox', 'queued'),
        waiting('webhook_deliveries', 'pending'),
        countCommittedRecords(query),
        query('feed.projection_state').select('next_seq').where({ id: 1 }).first(),
      ])
      return { mails, webhooks, feed: Math.max(0, size - Number(state?.next_seq ?? 0)) }
    },
  }
}
