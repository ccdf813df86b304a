import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { ActivityFacts } from '@svc/core/trustScore.ts'
import type { LogCount, LogPlace } from '../audit/logStore.ts'

/** The columns of an audit record that the projection reads; log indexes are copied inside the database. */
export type LoggedRecord = {
  seq: number
  recordId: string
  /** Epoch milliseconds. */
  recordedAt: number
  eventType: string
  ownerId: string | null
  agentId: string | null
  /** Internal id. */
  endpointId: string | null
  counterpartyOwnerId: string | null
  eventData: string
  entry: string
}

/** An event as the feed stores it for one of its parties; nothing in it is hidden from that party. */
export type PartyEvent = {
  partyId: string
  seq: number
  eventType: string
  /** Epoch milliseconds. */
  recordedAt: number
  agentId: string | null
  /** Internal id. */
  endpointId: string | null
  /** Null for an event that stands by itself. */
  purchaseId: string | null
  /** What the event says that its request came to. */
  outcome: string | null
  /** Normalised. */
  sourceIp: string | null
  amount: number | null
  currency: string | null
  /** In lower case. */
  searchText: string
}

/** An event of a chunk, with what the events of the chunk say about its purchase. */
export type PlacedEvent = PartyEvent & {
  /** The log index of the first event of its purchase in the chunk. */
  firstSeq: number
  /** What the purchase came to at the end of the chunk; null if the chunk does not say. */
  standing: string | null
}

/** What an agent has spent on a day, at an endpoint or, with the endpoint `''`, at all of them. */
export type SpentAmount = {
  agentId: string
  endpointId: string
  /** Days since 1970, UTC. */
  day: number
  /** `''` if none was stated. */
  currency: string
  /** Of requests that proved the agent; decimal. */
  amount: string
  /** How many grants it is the sum of. */
  purchases: number
  /** The same of requests that proved nothing. */
  unprovenAmount: string
  unprovenPurchases: number
}

/** How often an agent or endpoint was decided about. */
export type DecisionCount = {
  /** The identifier of the agent, or the internal id of the endpoint. */
  subjectId: string
  /** Whether `name` is the type of the event, a dimension that denied, or the other party. */
  facet: 'outcome' | 'dimension' | 'counterpart'
  /** Hours since 1970 for outcomes, otherwise days since 1970, UTC. */
  bucket: number
  name: string
  decisions: number
  /** Time of the last of them, in epoch milliseconds. */
  lastAt: number
}

/** A record and where it is in its log. */
export type PlacedRecord = LogPlace & { seq: number }

/**
 * The log that the projection follows and the feed that it writes; one implementation per database.
 *
 * It is synchronous, because it runs in its own thread, whose event loop nobody waits for.
 */
export type ProjectionStore = {
  /**
   * Runs a transaction that writes the feed, has exclusive access from its beginning, and never blocks writers of the log.
   */
  transaction<Result>(work: () => Result): Result
  /** Counts the records of the log. */
  logSize(): number
  /** Reads records of the log from a sequence number on, in order. */
  records(fromSeq: number, limit: number): LoggedRecord[]
  /** Reads the sequence number of the first record that is not in the feed yet. */
  nextSeq(): number
  setNextSeq(seq: number): void
  /** Stores what the parties see of the chunk’s records, and what their purchases came to; in log order. */
  addEvents(events: readonly PlacedEvent[]): void
  /**
   * Stores the log indexes of the records from `fromSeq` to `toSeq` − 1, and of their sessions; a session is opened by its
   * first record.
   */
  addLookUps(fromSeq: number, toSeq: number): void
  /** Reads an agent’s behaviour; undefined if it has none yet. */
  behaviour(agentId: string): ActivityFacts | undefined
  setBehaviour(agentId: string, behaviour: ActivityFacts): void
  /** Adds amounts to what is stored; each combination of the other members occurs once. */
  addSpend(amounts: readonly SpentAmount[]): void
  /** Adds to what is stored; each combination of subject, facet, bucket and name occurs once. */
  addDecisions(counts: readonly DecisionCount[]): void
  /** Reads the changes of the number of logs, in order, up to the records that were read. */
  logCounts(): LogCount[]
  /** Counts the leaves of a log. */
  treeSize(log: number): number
  /** Reads the place of a record that is in the feed; null if it was processed as if there was one log. */
  placeOf(seq: number): LogPlace | null
  /** Stores the places of records, which are their sequence numbers as long as there is one log. */
  addPlaces(places: readonly PlacedRecord[]): void
  node(address: NodeAddress, log: number): Uint8Array | null
  addNodes(nodes: readonly MerkleNode[], log: number): void
  /** Empties the feed, so that it is rebuilt from the first record. */
  clear(): void
  close(): void
}
