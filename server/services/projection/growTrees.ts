import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, locatePeaks } from '@svc/core/audit/merkleTree.ts'
import type { LogCount } from '../../store/audit/logStore.ts'
import type { LoggedRecord, PlacedRecord, ProjectionStore } from '../../store/feed/projectionStore.ts'

type Ownership = Pick<LoggedRecord, 'seq' | 'ownerId' | 'counterpartyOwnerId'>

/**
 * The log of a record: that of the endpoint's owner or, without an endpoint, of the agent's. It never changes, because the
 * parties of a record do not, and the number of logs changes only for later records.
 *
 * @param counts In order; empty for a database that has always had one log.
 */
export function logOf({ seq, ownerId, counterpartyOwnerId }: Ownership, counts: readonly LogCount[]): number {
  const logs = counts.findLast(({ fromSeq }) => fromSeq <= seq)?.logs ?? 1
  return chooseLog(counterpartyOwnerId ?? ownerId, logs)
}

/**
 * Adds the next records, in order, to the trees of their logs, and stores their places there.
 *
 * @throws Error if a release that knows of one log only has processed the record before them, until the feed is rebuilt.
 */
export function growTrees(store: ProjectionStore, records: readonly LoggedRecord[]): void {
  const counts = store.logCounts()
  const firstSplit = counts[0]?.fromSeq ?? Number.POSITIVE_INFINITY
  const [first] = records
  if (first !== undefined && first.seq > firstSplit && store.placeOf(first.seq - 1) === null)
    throw new Error('a process of an earlier release has written the feed as if there was one log')
  const places: PlacedRecord[] = []
  for (const [log, own] of Map.groupBy(records, (record) => logOf(record, counts))) {
    const size = store.treeSize(log)
    const peaks = locatePeaks(size).map((address) => {
      const hash = store.node(address, log)
      if (hash === null)
        throw new Error(`node ${address.index} of level ${address.level} of log ${log} is not in the feed`)
      return hash
    })
    const leaves = own.map(({ entry }) => hashLeaf(entry))
    store.addNodes(appendLeaves(peaks, size, leaves).nodes, log)
    for (const [nth, { seq }] of own.entries()) {
      if (seq >= firstSplit) places.push({ seq, log, index: size + nth })
    }
  }
  store.addPlaces(places)
}
