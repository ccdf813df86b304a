import type { AnchoredBatch } from './anchoredBatch.ts'
import type { AuditReport } from './createTextReport.ts'
import { createMissingBatchError } from './findFirstBatch.ts'
import { DELAY_MAX_MS, findTimeFault } from './findTimeFault.ts'
import type { AuditChain } from './openAuditChain.ts'

/** When an entry says that it was written, in epoch milliseconds, and the batch that proves it. */
export type DatedEntry = { index: number; time: number; provenBy: AnchoredBatch }

/** Times of blocks that are read from the node at once. */
const BLOCKS_AT_ONCE = 20

/**
 * Compares the times of an export’s entries with the blocks that first anchored them, and with one another.
 *
 * @param entries In ascending order of their numbers; at least one.
 * @returns The entries that are dated after their block, described one by one.
 * @throws Error if the node does not return every batch.
 */
export async function auditTimes(
  chain: AuditChain,
  entries: readonly DatedEntry[],
  report: AuditReport,
): Promise<string[]> {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return []
  const oldest = await findFirstBatchOf(chain, first)
  const newest = await findFirstBatchOf(chain, last)
  const batches = oldest.number === newest.number ? [oldest] : await chain.batchesBetween(oldest, newest)
  const anchored = pairWithBatches(entries, batches)
  const times = await readTimes(chain, new Set(anchored.map(({ batch }) => batch.blockNumber)))
  const timeOf = ({ blockNumber }: AnchoredBatch) => times.get(blockNumber) ?? new Date(0)
  const dated = `${formatTime(first.time)} to ${formatTime(last.time)}`
  const blocks = `${timeOf(oldest).toISOString()} to ${timeOf(newest).toISOString()}`
  report.fact('dated', `first and last record: ${dated}`, [formatTime(first.time), formatTime(last.time)])
  report.fact('anchored', `first and last record: ${blocks}`, [
    ...[oldest, newest].map((batch) => ({
      ...{ batch: batch.number, blockNumber: batch.blockNumber, time: timeOf(batch).toISOString() },
    })),
  ])
  warnOfBackdating(entries, report)
  return anchored.flatMap(({ entry, batch }) => {
    const fault = findTimeFault(new Date(entry.time), batch, timeOf(batch))
    return fault === null ? [] : [`record number ${entry.index}: ${fault}`]
  })
}

function findFirstBatchOf(chain: AuditChain, entry: DatedEntry): Promise<AnchoredBatch> {
  return chain.firstBatchOf(entry.index, entry.provenBy, new Date(entry.time))
}

/** Finds the batch that first anchored each entry; both are in ascending order. */
function pairWithBatches(entries: readonly DatedEntry[], batches: readonly AnchoredBatch[]) {
  let at = 0
  return entries.map((entry) => {
    while ((batches[at]?.newSize ?? Number.POSITIVE_INFINITY) <= entry.index) at += 1
    const batch = batches[at]
    if (batch === undefined || entry.index < batch.prevSize) throw createMissingBatchError(entry.index)
    return { entry, batch }
  })
}

async function readTimes(chain: AuditChain, blocks: ReadonlySet<number>): Promise<Map<number, Date>> {
  const times = new Map<number, Date>()
  const all = [...blocks]
  for (let at = 0; at < all.length; at += BLOCKS_AT_ONCE) {
    const some = all.slice(at, at + BLOCKS_AT_ONCE)
    const read = await Promise.all(some.map(async (block) => [block, await chain.blockTime(block)] as const))
    for (const [block, time] of read) times.set(block, time)
  }
  return times
}

/** Entries are written roughly in the order of their numbers. */
function warnOfBackdating(entries: readonly DatedEntry[], report: AuditReport): void {
  let latest = entries[0]
  const early = entries.filter((entry) => {
    if (latest === undefined || entry.time > latest.time) latest = entry
    return entry.time < latest.time - DELAY_MAX_MS
  })
  const [example] = early
  if (example === undefined) return
  const others = early.length === 1 ? '' : `, and so are ${early.length - 1} more`
  report.warned(
    `record number ${example.index} is dated ${formatTime(example.time)}, more than an hour before records that ` +
      `precede it in the log${others}.`,
  )
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
