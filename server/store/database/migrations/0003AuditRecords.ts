import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The append-only log of outcomes, and the counters of decisions.
 *
 * A row of `audit_records` is an outcome with its event for both parties, its session and its audit entry, so that no
 * crash can separate them. Its only index is the primary key, which keeps appending cheap; the `feed` file contains
 * the lookup tables.
 */
export const auditRecords: NumberedMigration = {
  name: '0003_audit_records',
  async up(schema) {
    const sqlite = schema.client.config.client === 'better-sqlite3'
    const clustered = sqlite ? 'WITHOUT ROWID' : ''
    await schema.schema
      .createTable('audit_records', (t) => {
        // Only INTEGER makes it SQLite's rowid, which is 64 bits wide; any other type adds an index.
        if (sqlite) t.integer('seq').primary()
        else t.bigInteger('seq').primary()
        t.string('record_id').notNullable()
        t.bigInteger('recorded_at').notNullable()
        t.string('event_type').notNullable()
        t.string('owner_id')
        t.string('counterparty_owner_id')
        t.string('agent_id')
        t.string('endpoint_id')
        t.string('session_id')
        t.text('event_data').notNullable()
        t.text('inputs').notNullable()
        t.string('inputs_salt').notNullable()
        t.text('entry').notNullable()
      })
      .createTable('session_decisions', (t) => {
        t.string('session_id').primary()
        t.string('decision').notNullable()
        t.string('reason')
        t.boolean('token_issued')
        t.bigInteger('recorded_at').notNullable()
      })
      .createTable('step_up_approvals', (t) => {
        t.string('id').primary()
        t.string('agent_id').notNullable()
        t.string('owner_id').notNullable().index()
        t.string('endpoint_id')
        t.string('api_key_id').notNullable()
        t.string('attempt_id').notNullable()
        t.string('request_hash').notNullable()
        t.text('request').notNullable()
        t.text('dimensions').notNullable()
        t.boolean('needs_fresh_assertion').notNullable()
        t.string('status').notNullable()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('expires_at').notNullable()
        t.bigInteger('decided_at')
        t.bigInteger('consumed_at')
        t.index(['agent_id', 'attempt_id'])
      })
    await schema.raw(`CREATE TABLE transaction_grants (
      scope VARCHAR(255) NOT NULL,
      granted_at BIGINT NOT NULL,
      ordinal BIGINT NOT NULL,
      PRIMARY KEY (scope, granted_at, ordinal)
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE sub_agent_grants (
      agent_id VARCHAR(255) NOT NULL,
      seq BIGINT NOT NULL,
      endpoint_id VARCHAR(255) NOT NULL,
      granted_at BIGINT NOT NULL,
      PRIMARY KEY (agent_id, seq)
    ) ${clustered}`)
    await schema.raw(`CREATE TABLE cumulative_spend (
      endpoint_id VARCHAR(255) NOT NULL,
      agent_id VARCHAR(255) NOT NULL,
      period VARCHAR(255) NOT NULL,
      total VARCHAR(255) NOT NULL,
      PRIMARY KEY (endpoint_id, agent_id, period)
    ) ${clustered}`)
  },
  async down(schema) {
    for (const table of [
      'cumulative_spend',
      'sub_agent_grants',
      'transaction_grants',
      'step_up_approvals',
      'session_decisions',
      'audit_records',
    ]) {
      await schema.schema.dropTable(table)
    }
  },
}
