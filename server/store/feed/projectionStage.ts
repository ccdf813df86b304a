import type { ActivityFacts } from '@svc/core/trustScore.ts'
import type { LogCount, LogPlace } from '../audit/logStore.ts'
import { nodePositionOf } from '../audit/treeStore.ts'
import type {
  DecisionCount,
  LoggedRecord,
  PlacedEvent,
  PlacedRecord,
  ProjectionStore,
  SpentAmount,
} from './projectionStore.ts'

export type Behaviour = ActivityFacts & { agentId: string }

export type ProjectionStage = {
  store: ProjectionStore
  /** The projector’s writes, to be stored in the transaction of its reads. */
  written: {
    nextSeq: number
    isCleared: boolean
    events: PlacedEvent[]
    lookUps: { fromSeq: number; toSeq: number }[]
    behaviours: Map<string, ActivityFacts>
    spend: SpentAmount[]
    decisions: DecisionCount[]
    nodes: { position: number; hash: Uint8Array }[]
    places: PlacedRecord[]
  }
}

/**
 * A projection store over data read in advance, which only collects writes.
 *
 * It lets the synchronous projector work with an asynchronous database.
 */
export function createProjectionStage(read: {
  nextSeq: number
  records: readonly LoggedRecord[]
  nodes: ReadonlyMap<number, Uint8Array>
  behaviours: readonly Behaviour[]
  counts: readonly LogCount[]
  /** The sizes of the logs, by their numbers. */
  sizes: readonly number[]
  /** The place of the last record in the feed; null if it was processed as if there was one log. */
  last: LogPlace | null
}): ProjectionStage {
  const behaviours = new Map(read.behaviours.map(({ agentId, ...facts }) => [agentId, facts]))
  const written: ProjectionStage['written'] = {
    nextSeq: read.nextSeq,
    isCleared: false,
    events: [],
    lookUps: [],
    behaviours: new Map(),
    spend: [],
    decisions: [],
    nodes: [],
    places: [],
  }
  const lastSeq = read.records.at(-1)?.seq
  return {
    written,
    store: {
      transaction: (work) => work(),
      logSize: () => (lastSeq === undefined ? read.nextSeq : lastSeq + 1),
      records: (fromSeq, limit) => read.records.filter(({ seq }) => seq >= fromSeq).slice(0, limit),
      nextSeq: () => written.nextSeq,
      setNextSeq(seq) {
        written.nextSeq = seq
      },
      addEvents: (events) => void written.events.push(...events),
      addLookUps: (fromSeq, toSeq) => void written.lookUps.push({ fromSeq, toSeq }),
      behaviour: (agentId) => written.behaviours.get(agentId) ?? behaviours.get(agentId),
      setBehaviour: (agentId, behaviour) => void written.behaviours.set(agentId, behaviour),
      addSpend: (amounts) => void written.spend.push(...amounts),
      addDecisions: (counts) => void written.decisions.push(...counts),
      logCounts: () => [...read.counts],
      treeSize: (log) => (written.isCleared ? 0 : (read.sizes[log] ?? 0)),
      placeOf: () => read.last,
      addPlaces: (places) => void written.places.push(...places),
      node: (address, log) => read.nodes.get(nodePositionOf(address, log)) ?? null,
      addNodes(nodes, log) {
        for (const node of nodes) written.nodes.push({ position: nodePositionOf(node, log), hash: node.hash })
      },
      clear() {
        written.isCleared = true
        written.nextSeq = 0
        behaviours.clear()
      },
      close: () => undefined,
    },
  }
}
