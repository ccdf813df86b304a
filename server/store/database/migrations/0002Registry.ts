import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Agents, endpoints and dependent tables. `owner_id` is an `SVCD-` or `SVCO-` identifier.
 *
 * `position` is the order of arrival, by which lists are paged; `pdlss_salt` protects the public `pdlss_hash` from
 * being guessed.
 */
export const registry: NumberedMigration = {
  name: '0002_registry',
  async up(schema) {
    await schema.schema
      .createTable('agents', (t) => {
        t.increments('position')
        t.string('id').notNullable().unique()
        t.string('svc_id').notNullable().unique()
        t.string('owner_id').notNullable().index()
        t.string('status').notNullable()
        t.string('name').notNullable()
        t.text('description')
        t.string('agent_type')
        t.string('api_endpoint')
        t.string('image')
        t.text('model')
        t.text('framework')
        t.text('protocols').notNullable()
        t.text('declarations').notNullable()
        t.text('pdlss').notNullable()
        t.string('pdlss_salt').notNullable()
        t.string('pdlss_hash').notNullable()
        t.text('approval_rules').notNullable()
        t.text('certifications').notNullable()
        t.string('signer_address').index()
        t.string('blockchain_status').notNullable()
        t.bigInteger('chain_agent_id').index()
        t.string('chain_registry')
        t.string('chain_transaction')
        t.bigInteger('chain_block')
        t.string('registration_file_hash')
        t.bigInteger('challenge_passed_at')
        t.bigInteger('created_at').notNullable()
        t.bigInteger('updated_at').notNullable()
      })
      .createTable('endpoints', (t) => {
        t.increments('position')
        t.string('id').notNullable().unique()
        t.string('svce_id').unique()
        t.string('owner_id').notNullable().index()
        t.string('tier').notNullable()
        t.string('status').notNullable()
        t.string('counterparty_type').notNullable()
        t.string('name').notNullable()
        t.string('url').notNullable().index()
        t.string('host').notNullable()
        t.integer('trust_score_requirement').notNullable()
        t.string('unverified_agent_policy').notNullable()
        t.text('pdlss').notNullable()
        t.string('pdlss_salt').notNullable()
        t.string('pdlss_hash').notNullable()
        t.text('routes').notNullable()
        t.text('webhook_secret')
        t.string('webhook_secret_last_four')
        t.string('webhook_url')
        t.bigInteger('created_at').notNullable()
        t.bigInteger('updated_at').notNullable()
      })
      .createTable('alerts', (t) => {
        t.string('id').primary()
        t.string('owner_id').notNullable().index()
        t.string('code').notNullable()
        t.string('severity').notNullable()
        t.string('subject').notNullable()
        t.string('day').notNullable()
        t.bigInteger('created_at').notNullable()
        t.unique(['owner_id', 'code', 'subject', 'day'])
      })
    await schema.raw(
      `CREATE UNIQUE INDEX endpoints_claimed_url ON endpoints (url) WHERE tier <> 'discovered' AND status <> 'archived'`,
    )
    await schema.raw(
      `CREATE UNIQUE INDEX endpoints_discovered_url ON endpoints (owner_id, url) WHERE tier = 'discovered' AND status <> 'archived'`,
    )
  },
  async down(schema) {
    for (const table of ['alerts', 'endpoints', 'agents']) await schema.schema.dropTable(table)
  },
}
