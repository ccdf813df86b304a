import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES = {
  relayer_intents_open_status: 'relayer_intents (status, id) WHERE settled_at IS NULL',
  relayer_intents_open_kind: 'relayer_intents (kind, status, id) WHERE settled_at IS NULL',
  relayer_intents_failing: 'relayer_intents (id) WHERE settled_at IS NULL AND last_error IS NOT NULL',
  registration_requests_status: 'registration_requests (owner_id, status, position)',
  step_up_approvals_status: 'step_up_approvals (owner_id, status, position)',
  alerts_unread: 'alerts (owner_id, position) WHERE read_at IS NULL',
  organizations_created_by: 'organizations (created_by)',
  endpoints_proven: `endpoints (owner_id) WHERE tier = 'domain_verified'`,
  agent_tokens_holder: 'agent_tokens (holder, svc_id)',
  mail_outbox_settled: 'mail_outbox (settled_at) WHERE settled_at IS NOT NULL',
  api_keys_live: 'api_keys (user_id, id) WHERE revoked_at IS NULL',
} as const

/**
 * Indexes for frequent lookups in large tables: without them a lookup scans a whole table, or everything an owner ever
 * had, and on an embedded database everyone else waits for it.
 */
export const grownTables: NumberedMigration = {
  name: '0045_grown_tables',
  async up(schema) {
    for (const [name, on] of Object.entries(INDEXES)) await schema.raw(`CREATE INDEX ${name} ON ${on}`)
  },
  async down(schema) {
    for (const name of Object.keys(INDEXES)) await schema.raw(`DROP INDEX ${name}`)
  },
}
