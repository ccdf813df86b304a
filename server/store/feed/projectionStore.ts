import type { MerkleNode, NodeAddress } from '@svc/core/audit/merkleTree.ts'
import type { ActivityFacts } from '@svc/core/trustScore.ts'

/** What the projection itself reads of an audit record; look-ups are copied inside the database. */
export type LoggedRecord = {
  seq: number
  /** Epoch milliseconds. */
  recordedAt: number
  eventType: string
  agentId: string | null
  counterpartyOwnerId: string | null
  eventData: string
  entry: string
}

/**
 * The two sides of the projection: the log it follows and the feed it fills; one implementation a database.
 *
 * Synchronous, because it lives in a thread of its own where nobody waits for the event loop.
 */
export type ProjectionStore = {
  /** One transaction that writes the feed, alone from its beginning, and never holds up writers of the log. */
  transaction<Result>(work: () => Result): Result
  /** How many records the log holds. */
  logSize(): number
  /** Records of the log from a place on, in order. */
  records(fromSeq: number, limit: number): LoggedRecord[]
  /** The first record that is not in the feed yet. */
  nextSeq(): number
  setNextSeq(seq: number): void
  /**
   * Says who may see the records from `fromSeq` to `toSeq` − 1, and where they and their sessions stand; the first
   * record of a session is the one that opened it.
   */
  addLookUps(fromSeq: number, toSeq: number): void
  /** How an agent behaved; undefined for one that has not done anything yet. */
  behaviour(agentId: string): ActivityFacts | undefined
  setBehaviour(agentId: string, behaviour: ActivityFacts): void
  node(address: NodeAddress): Uint8Array | null
  addNodes(nodes: readonly MerkleNode[]): void
  /** Empties the feed, so that it is built from the first record again. */
  clear(): void
  close(): void
}
