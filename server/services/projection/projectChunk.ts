import { appendLeaves } from '@svc/core/audit/appendLeaves.ts'
import { leafHash } from '@svc/core/audit/leafHash.ts'
import { peakAddresses } from '@svc/core/audit/peakAddresses.ts'
import type { AgentBehaviour, LoggedRecord, ProjectionStore } from '../../store/projectionStore.ts'
import { decayBehaviour } from './decayBehaviour.ts'

/** Most records one transaction takes: many together write fewer pages each, and 0.2 s is soon over. */
const CHUNK_MAX = 10_000

/**
 * Brings the next records of the log into the feed and answers how far the feed is.
 *
 * All that one chunk writes, `next_seq` included, is one transaction of the feed, so a kill at any moment loses
 * nothing and repeats nothing. It keeps no state between calls.
 *
 * @throws Error when the log has a gap: sequence numbers are places in the Merkle tree.
 * Source: architecture.md "Life of an audit record".
 */
export function projectChunk(store: ProjectionStore, chunkMax = CHUNK_MAX): number {
  if (store.records(store.nextSeq(), 1).length === 0) return store.nextSeq()
  return store.transaction(() => {
    const from = store.nextSeq()
    const records = store.records(from, chunkMax)
    const to = from + records.length
    refuseGap(records, from)
    growTree(store, records, from)
    for (const behaviour of behaviourAfter(store, records)) store.setBehaviour(behaviour)
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

function growTree(store: ProjectionStore, records: readonly LoggedRecord[], size: number): void {
  const peaks = peakAddresses(size).map((address) => {
    const hash = store.node(address)
    if (hash === null) throw new Error(`node ${address.index} of level ${address.level} is not in the feed`)
    return hash
  })
  const leafHashes = records.map(({ entry }) => leafHash(entry))
  store.addNodes(appendLeaves(peaks, size, leafHashes).nodes)
}

function behaviourAfter(store: ProjectionStore, records: readonly LoggedRecord[]): Iterable<AgentBehaviour> {
  const changed = new Map<string, AgentBehaviour>()
  for (const record of records) {
    const { agentId, recordedAt } = record
    if (agentId === null) continue
    const outcome = outcomeOf(record)
    if (outcome === null) continue
    const none = { agentId, grants: 0, violations: 0, failedChallenges: 0, updatedAt: recordedAt }
    const before = decayBehaviour(changed.get(agentId) ?? store.behaviour(agentId) ?? none, recordedAt)
    changed.set(agentId, {
      ...before,
      grants: before.grants + outcome.grants,
      violations: before.violations + outcome.violations,
      failedChallenges: before.failedChallenges + outcome.failedChallenges,
    })
  }
  return changed.values()
}

type EventData = { recommendation?: string; countsAgainstAgent?: boolean; challengeFailed?: boolean }

/** What a record says about its agent; null when it says nothing. Source: verification.md "Counting". */
function outcomeOf({ eventType, eventData }: LoggedRecord) {
  const data = JSON.parse(eventData) as EventData
  const grants = eventType === 'verification.completed' && data.recommendation === 'grant' ? 1 : 0
  const violations = data.countsAgainstAgent === true ? 1 : 0
  const failedChallenges = data.challengeFailed === true ? 1 : 0
  return grants + violations + failedChallenges === 0 ? null : { grants, violations, failedChallenges }
}
