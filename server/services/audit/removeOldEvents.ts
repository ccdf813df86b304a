import type { EventRetentionStore } from '../../store/audit/eventRetentionStore.ts'
import type { RecordTimes } from '../../store/audit/recordTimes.ts'
import type { Db } from '../../store/database/database.ts'
import type { WebhookStore } from '../../store/endpoints/webhookStore.ts'
import { explainAhead, findFirstYoung } from './findFirstYoung.ts'
import { pruneRecord } from './pruneRecord.ts'

export type RemoveOldEventsDeps = {
  db: Pick<Db, 'transaction'>
  events: EventRetentionStore
  times: RecordTimes
  webhooks: Pick<WebhookStore, 'nextPlace'>
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
  /** Reports the record before which the removal ends, because its time lies in the future; null if there is none. */
  report(fault: string | null): void
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
 * @param before Epoch milliseconds, and so is `now`. Source: docs/decisions/0108.
 */
export async function removeOldEvents(
  deps: RemoveOldEventsDeps,
  { before, now }: { before: number; now: number },
): Promise<number> {
  const from = await deps.events.nextSeq()
  const hooked = await deps.webhooks.nextPlace()
  const end = Math.min(from + ROUND_MAX, await deps.events.logSize())
  const young = await findFirstYoung(deps.times, { from, to: end }, { before, now })
  deps.report(young?.seq === from ? explainAhead(young, now, 'The removal of old events ends') : null)
  const to = Math.min(young?.seq ?? end, hooked?.from ?? Number.POSITIVE_INFINITY)
  if (to <= from) return 0
  await deps.catchUp()
  return deps.db.transaction(
    async (trx) => {
      // Read here, so that nothing is put back that an erasure or an archive has removed meanwhile.
      const old = await deps.events.records(from, to - from, trx)
      const pruned = old.map((record) => pruneRecord(record, { keepsAmount: true, mark: 'removed' }))
      await deps.events.remove(trx, { from, to }, pruned)
      return old.length
    },
    ['job event retention'],
  )
}
