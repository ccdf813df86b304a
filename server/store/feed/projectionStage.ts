import type { MerkleNode } from '@svc/core/audit/merkleTree.ts'
import type { ActivityFacts } from '@svc/core/trustScore.ts'
import { nodePositionOf } from '../audit/treeStore.ts'
import type {
  DecisionCount,
  LoggedRecord,
  PlacedEvent,
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
    nodes: MerkleNode[]
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
      node: (address) => read.nodes.get(nodePositionOf(address)) ?? null,
      addNodes: (nodes) => void written.nodes.push(...nodes),
      clear() {
        written.isCleared = true
        written.nextSeq = 0
        behaviours.clear()
      },
      close: () => undefined,
    },
  }
}
