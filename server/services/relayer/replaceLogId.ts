import type { Hex } from '../../chain/chainTypes.ts'
import type { LogStore } from '../../store/audit/logStore.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { intentKey } from './intents.ts'
import type { WhileLeaseHeld } from './relayerDeps.ts'

export type ReplaceLogIdDeps = {
  logs: Pick<LogStore, 'rename'>
  outbox: Pick<OutboxStore, 'add'>
  whileLeaseHeld: WhileLeaseHeld
  /** Draws an id that the relayer may open. */
  drawLogId: () => Hex
  clock: () => number
}

/** Gives a log besides the first, which was never opened, another id, and orders its opening; once for each id. */
export async function replaceLogId(deps: ReplaceLogIdDeps, former: Hex): Promise<void> {
  const { logs, outbox, whileLeaseHeld, clock } = deps
  const logId = deps.drawLogId()
  await whileLeaseHeld(async (trx) => {
    if (!(await logs.rename(trx, former, logId))) return
    const idempotencyKey = intentKey.open(logId)
    await outbox.add(trx, { idempotencyKey, kind: 'audit.open', payload: { logId }, now: clock() })
  })
}
