import type { Knex } from 'knex'
import { readLogSize } from '../audit/recordsAtCommit.ts'

/** How much waits in each queue of the database. */
export type QueueDepths = { mails: number; webhooks: number; feed: number }

/** Counts what waits; each count reads an index of what waits and nothing else. */
export function createQueueStore(query: Knex) {
  const waiting = async (table: string, status: string): Promise<number> => {
    const row = await query(table).whereRaw(`status = '${status}'`).count({ count: '*' }).first()
    return Number(row?.count ?? 0)
  }
  return {
    /** Mails and webhook deliveries that are not settled, and records that the feed does not show yet. */
    async depths(): Promise<QueueDepths> {
      const [mails, webhooks, size, state] = await Promise.all([
        waiting('mail_outbox', 'queued'),
        waiting('webhook_deliveries', 'pending'),
        readLogSize(query),
        query('feed.projection_state').select('next_seq').where({ id: 1 }).first(),
      ])
      return { mails, webhooks, feed: Math.max(0, size - Number(state?.next_seq ?? 0)) }
    },
  }
}
