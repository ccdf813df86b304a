import type { EventRetentionStore } from '../../store/audit/eventRetentionStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { WebhookStore } from '../../store/endpoints/webhookStore.ts'
import type { LoggedRecord } from '../../store/feed/projectionStore.ts'
import { pruneRecord } from './pruneRecord.ts'

export type RemoveOldEventsDeps = {
  db: Pick<Db, 'transaction'>
  events: EventRetentionStore
  webhooks: Pick<WebhookStore, 'nextPlace'>
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
}

/** Records in a transaction: few, because servers wait for these writes. */
const ROUND_MAX = 100

/**
 * Removes the content of the next events that are older than a time: names, addresses, texts, the inputs of the decision and
 * their salt; returns how many records it went through.
 *
 * The record stays, with its entry, its parties, the decision, the amount and its receipt, so that proofs, counts,
 * statistics, withdrawals and cursors are as before. Nothing is removed that a webhook still has to send, or that is not in
 * the feed yet.
 *
 * @param before Epoch milliseconds. Source: docs/decisions/0108.
 */
export async function removeOldEvents(deps: RemoveOldEventsDeps, before: number): Promise<number> {
  const from = await deps.events.nextSeq()
  const hooked = await deps.webhooks.nextPlace()
  const isNeeded = ({ recordedAt, seq }: LoggedRecord) =>
    recordedAt >= before || (hooked !== null && seq >= hooked.from)
  const [next] = await deps.events.records(from, 1)
  if (next === undefined || isNeeded(next)) return 0
  await deps.catchUp()
  return deps.db.transaction(
    async (trx) => {
      // Read here, so that nothing is put back that an erasure or an archive has removed meanwhile.
      const records = await deps.events.records(from, ROUND_MAX, trx)
      const end = records.findIndex(isNeeded)
      const old = end < 0 ? records : records.slice(0, end)
      const pruned = old.map((record) => pruneRecord(record, { keepsAmount: true, mark: 'removed' }))
      await deps.events.remove(trx, { from, to: from + old.length }, pruned)
      return old.length
    },
    ['job event retention'],
  )
}
