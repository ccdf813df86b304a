import type Sqlite from 'better-sqlite3'
import { openSqlite } from './openSqlite.ts'
import type { AgentBehaviour, LoggedRecord, ProjectionStore } from './projectionStore.ts'

/** Pages of the feed kept in memory: its look-ups are written in the order of random identifiers. */
const CACHE_KIBIBYTES = 65_536

/**
 * The projection's store on SQLite, on connections of its own and statements prepared once.
 *
 * The log is opened read-only. The feed is synchronised at checkpoints only: a power cut can take its last
 * transactions whole, never a part of one, and they are built again from the log, which loses nothing. Its
 * commits therefore cost the recorder no sync.
 */
export function createSqliteProjectionStore(files: {
  databaseFile: string
  feedFile: string
}): ProjectionStore {
  const log = openSqlite(files.databaseFile, { readonly: true })
  const feed = openSqlite(files.feedFile)
  feed.pragma('synchronous = NORMAL')
  feed.pragma(`cache_size = -${CACHE_KIBIBYTES}`)
  const run = prepare(log, feed)
  return {
    transaction: (work) => feed.transaction(work).immediate(),
    logSize: () => (run.logSize.get() as { size: number }).size,
    records: (fromSeq, limit) => run.records.all(fromSeq, limit) as LoggedRecord[],
    nextSeq: () => (run.nextSeq.get() as { nextSeq: number }).nextSeq,
    setNextSeq: (seq) => void run.setNextSeq.run(seq),
    addPartyEvent(partyId, { seq, eventType, recordedAt, agentId, endpointId }) {
      run.addPartyEvent.run(partyId, seq, eventType, recordedAt, agentId, endpointId)
    },
    addPositions({ seq, recordId, sessionId }) {
      run.addRecordPosition.run(recordId, seq)
      if (sessionId !== null) run.addSessionPosition.run(sessionId, seq)
    },
    behaviour: (agentId) => (run.behaviour.get(agentId) as AgentBehaviour | undefined) ?? null,
    setBehaviour({ agentId, grants, violations, failedChallenges, updatedAt }) {
      run.setBehaviour.run(agentId, grants, violations, failedChallenges, updatedAt)
    },
    node({ level, index }) {
      const row = run.node.get(level, index) as { hash: Uint8Array } | undefined
      return row?.hash ?? null
    },
    addNodes(nodes) {
      for (const { level, index, hash } of nodes) run.addNode.run(level, index, hash)
    },
    clear() {
      for (const statement of run.clear) statement.run()
    },
    close() {
      log.close()
      feed.close()
    },
  }
}

const DERIVED_TABLES = [
  'party_events',
  'record_positions',
  'session_positions',
  'agent_behaviour',
  'tree_nodes',
]

function prepare(log: Sqlite.Database, feed: Sqlite.Database) {
  return {
    logSize: log.prepare('SELECT COALESCE(MAX(seq) + 1, 0) AS size FROM audit_records'),
    records:
      log.prepare(`SELECT seq, record_id AS recordId, recorded_at AS recordedAt, event_type AS eventType,
      owner_id AS ownerId, counterparty_owner_id AS counterpartyOwnerId, agent_id AS agentId,
      endpoint_id AS endpointId, session_id AS sessionId, event_data AS eventData, entry
      FROM audit_records WHERE seq >= ? ORDER BY seq LIMIT ?`),
    nextSeq: feed.prepare('SELECT next_seq AS nextSeq FROM projection_state WHERE id = 1'),
    setNextSeq: feed.prepare('UPDATE projection_state SET next_seq = ? WHERE id = 1'),
    addPartyEvent: feed.prepare(`INSERT INTO party_events
      (party_id, seq, event_type, recorded_at, agent_id, endpoint_id) VALUES (?, ?, ?, ?, ?, ?)`),
    addRecordPosition: feed.prepare(
      'INSERT INTO record_positions (record_id, seq) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    addSessionPosition: feed.prepare(
      'INSERT INTO session_positions (session_id, seq) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    behaviour: feed.prepare(`SELECT agent_id AS agentId, grants, violations,
      failed_challenges AS failedChallenges, updated_at AS updatedAt FROM agent_behaviour WHERE agent_id = ?`),
    setBehaviour: feed.prepare(`INSERT INTO agent_behaviour
      (agent_id, grants, violations, failed_challenges, updated_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (agent_id) DO UPDATE SET grants = excluded.grants, violations = excluded.violations,
      failed_challenges = excluded.failed_challenges, updated_at = excluded.updated_at`),
    node: feed.prepare('SELECT hash FROM tree_nodes WHERE level = ? AND position = ?'),
    addNode: feed.prepare('INSERT INTO tree_nodes (level, position, hash) VALUES (?, ?, ?)'),
    clear: DERIVED_TABLES.map((table) => feed.prepare(`DELETE FROM ${table}`)).concat(
      feed.prepare('UPDATE projection_state SET next_seq = 0 WHERE id = 1'),
    ),
  }
}
