import type { AnchorStore } from '../../store/audit/anchorStore.ts'
import type { LogStore } from '../../store/audit/logStore.ts'

export type HasFinalBatchDeps = {
  /** Opens the batches of a log. */
  anchorsOf: (log: number) => Pick<AnchorStore, 'lastConfirmed'>
  logs: Pick<LogStore, 'ids'>
}

/** Whether a batch of any log is final on chain. */
export async function hasFinalBatch({ anchorsOf, logs }: HasFinalBatchDeps): Promise<boolean> {
  const numbers = [0, ...(await logs.ids()).map(({ number }) => number)]
  const final = await Promise.all(numbers.map((number) => anchorsOf(number).lastConfirmed()))
  return final.some((batch) => batch > 0)
}
