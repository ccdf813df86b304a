import type { LogCount, LogStore } from '../../store/audit/logStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { Locks } from '../../store/database/locks/locks.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { intentKey } from '../relayer/intents.ts'

export type ConfigureLogsDeps = {
  logs: Pick<LogStore, 'counts' | 'ids' | 'add' | 'setCount'>
  outbox: Pick<OutboxStore, 'add'>
  transaction: Db['transaction']
  locks: Locks
  /** Draws the id of a log that the relayer may open. */
  drawLogId: () => `0x${string}`
}

/**
 * Makes this the number of audit logs for all later records; the relayer opens those that are new.
 *
 * A log that gets no more records keeps those that it has. Several processes may do it at once.
 *
 * @returns Whether the number has changed.
 * Source: docs/decisions/0136.
 */
export async function configureLogs(
  { logs, outbox, transaction, locks, drawLogId }: ConfigureLogsDeps,
  { number, now }: { number: number; now: number },
): Promise<boolean> {
  const isCurrent = (counts: readonly LogCount[]) => (counts.at(-1)?.logs ?? 1) === number
  // Checked before the transaction as well, which keeps all others waiting: nearly every start changes nothing.
  if (isCurrent(await logs.counts())) return false
  return transaction(async (trx) => {
    if (isCurrent(await logs.counts(trx))) return false
    const known = (await logs.ids(trx)).length + 1
    for (let log = known; log < number; log += 1) {
      const logId = drawLogId()
      await logs.add(trx, { number: log, logId })
      const idempotencyKey = intentKey.open(logId)
      await outbox.add(trx, { idempotencyKey, kind: 'audit.open', payload: { logId }, now })
    }
    await logs.setCount(trx, number, locks)
    return true
  })
}
