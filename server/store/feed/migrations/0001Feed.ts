import type { NumberedMigration } from '../../database/numberedMigration.ts'

/**
 * Everything that the projection derives from `audit_records`: which party may see which event, the log index of each
 * record and session, the behaviour of agents, and the complete subtrees of the Merkle tree. `projection_state` stores its
 * progress.
 */
export const feed: NumberedMigration = {
  name: '0001_feed',
  async up(schema) {
    const sqlite = schema.client.config.client === 'better-sqlite3'
    const clustered = sqlite ? 'WITHOUT ROWID' : ''
    // Only INTEGER makes it SQLite’s rowid, so that nodes are appended and found without an index.
    const position = sqlite ? 'INTEGER' : 'BIGINT'
    const bytes = sqlite ? 'BLOB' : 'BYTEA'
    await schema.raw(`CREATE TABLE projection_state (
      id INTEGER PRIMARY KEY,
      next_seq BIGINT NOT NULL
    )`)
    await schema.raw('INSERT INTO projection_state (id, next_seq) VALUES (1, 0)')
    await schema.raw(`CREATE TABLE party_events (
      party_id VARCHAR(255) NOT NULL,
      seq BIGINT NOT NULL,
      event_type VARCHAR(255) NOT NULL,
      recorded_at BIGINT NOT NULL,
      agent_id VARCHAR(255),
      endpoint_id VARCHAR(255),
      PRIMARY KEY (party_id, seq)
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE record_positions (
      record_id VARCHAR(255) PRIMARY KEY,
      seq BIGINT NOT NULL
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE session_positions (
      session_id VARCHAR(255) PRIMARY KEY,
      seq BIGINT NOT NULL
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE agent_behaviour (
      agent_id VARCHAR(255) PRIMARY KEY,
      grants DOUBLE PRECISION NOT NULL,
      violations DOUBLE PRECISION NOT NULL,
      updated_at BIGINT NOT NULL
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE tree_nodes (
      position ${position} PRIMARY KEY,
      hash ${bytes} NOT NULL
    )`)
  },
  async down(schema) {
    for (const table of [
      'tree_nodes',
      'agent_behaviour',
      'session_positions',
      'record_positions',
      'party_events',
      'projection_state',
    ]) {
      await schema.schema.dropTable(table)
    }
  },
}
