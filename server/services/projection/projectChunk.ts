import { hashLeaf, isSameHash } from '@svc/core/audit/merkleHash.ts'
import { type ActivityFacts, addOutcome, describeSource } from '@svc/core/trustScore.ts'
import type { LoggedRecord, ProjectionStore } from '../../store/feed/projectionStore.ts'
import { countDecisions } from './countDecisions.ts'
import { growTrees } from './growTrees.ts'
import { placeEvents } from './placeEvents.ts'
import { type ReadRecord, readRecord } from './readRecord.ts'
import { sumSpend } from './sumSpend.ts'

/** Maximum records per transaction: larger chunks write fewer pages per record, and 0.2 s pass quickly. */
const CHUNK_MAX = 10_000

/**
 * Adds the next records of the log to the feed and returns its new position.
 *
 * Everything that a chunk writes, `next_seq` included, is one transaction of the feed, so that a kill at any time neither
 * loses nor repeats anything. It keeps no state between calls.
 *
 * @throws Error if the log has a gap: indexes in the Merkle trees follow from sequence numbers. Source:
 * docs/life-of-an-audit-record.md.
 */
export function projectChunk(store: ProjectionStore, chunkMax = CHUNK_MAX): number {
  if (store.records(store.nextSeq(), 1).length === 0) return store.nextSeq()
  return store.transaction(() => {
    const from = store.nextSeq()
    const records = store.records(from, chunkMax).map(readRecord)
    const to = from + records.length
    refuseGap(records, from)
    growTrees(store, records)
    for (const [agentId, behaviour] of projectBehaviour(store, records))
      store.setBehaviour(agentId, behaviour)
    store.addSpend(sumSpend(records))
    store.addDecisions(countDecisions(records))
    store.addEvents(placeEvents(records))
    store.addLookUps(from, to)
    store.setNextSeq(to)
    return to
  })
}

function refuseGap(records: readonly LoggedRecord[], from: number): void {
  const at = records.findIndex(({ seq }, i) => seq !== from + i)
  if (at >= 0) {
    throw new Error(`the log goes on with record ${records[at]?.seq} where ${from + at} is expected`)
  }
}

function projectBehaviour(
  store: ProjectionStore,
  records: readonly ReadRecord[],
): Map<string, ActivityFacts> {
  const changed = new Map<string, ActivityFacts>()
  for (const record of records) {
    const { agentId, recordedAt } = record
    if (agentId === null) continue
    const outcome = outcomeOf(record)
    if (outcome === null) continue
    const before = changed.get(agentId) ?? store.behaviour(agentId)
    changed.set(agentId, addOutcome(before, outcome, recordedAt))
  }
  return changed
}

type EventData = {
  recommendation?: string
  countsAgainstAgent?: boolean
  /** Absent from records of earlier versions. */
  behaviourSource?: string | null
  endpointTier?: string
}

/** The outcome of a record for its agent; null if it has none, or one that does not count. */
function outcomeOf({ eventType, data: payload, counterpartyOwnerId }: ReadRecord) {
  const data = payload as EventData
  const isGranted = eventType === 'verification.completed' && data.recommendation === 'grant'
  if (data.behaviourSource === null || (!isGranted && data.countsAgainstAgent !== true)) return null
  return {
    kind: data.countsAgainstAgent === true ? ('violation' as const) : ('granted' as const),
    // Earlier versions told only owners apart.
    source:
      data.behaviourSource === undefined
        ? { id: counterpartyOwnerId ?? '', hasProvenDomain: true }
        : describeSource(data.behaviourSource, data.endpointTier),
  }
}

/**
 * Clears a feed that was not derived from this log; returns whether it did.
 *
 * A log restored from a backup is shorter than the feed, or continues differently; the last record of the feed shows
 * either, because every entry has a random salt. One that a release without several logs has processed is foreign, too.
 */
export function discardForeignFeed(store: ProjectionStore): boolean {
  return store.transaction(() => {
    const last = store.nextSeq() - 1
    if (last < 0) return false
    const [record] = store.records(last, 1)
    const place = store.placeOf(last)
    const leaf = place && store.node({ level: 0, index: place.index }, place.log)
    if (record?.seq === last && leaf !== null && isSameHash(leaf, hashLeaf(record.entry))) return false
    store.clear()
    return true
  })
}
