import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Sub-agents, and third-party credentials that identify an agent.
 *
 * `agent_ancestors` contains every ancestor of an agent with the distance in levels; `agents.is_held` marks an agent
 * with an inactive ancestor. `lookup_key` identifies a credential as presented, `claim_key` the identity that no two
 * agents may both claim.
 */
export const subAgentsAndCredentials: NumberedMigration = {
  name: '0025_sub_agents_and_credentials',
  async up(schema) {
    await schema.schema
      .alterTable('agents', (t) => {
        t.string('parent_agent_id')
        t.boolean('is_held').notNullable().defaultTo(false)
      })
      .createTable('agent_ancestors', (t) => {
        t.string('agent_id').notNullable()
        t.string('ancestor_id').notNullable().index()
        t.integer('distance').notNullable()
        t.primary(['agent_id', 'ancestor_id'])
      })
      .createTable('agent_credentials', (t) => {
        t.increments('position')
        t.string('id').notNullable().unique()
        t.string('agent_id').notNullable().index()
        t.string('type').notNullable()
        t.string('lookup_key').notNullable().unique()
        t.string('claim_key').notNullable().unique()
        t.text('subject').notNullable()
        t.text('issuer')
        t.string('algorithm').notNullable()
        t.bigInteger('valid_from')
        t.bigInteger('expires_at')
        t.bigInteger('created_at').notNullable()
      })
      .createTable('credential_challenges', (t) => {
        t.string('challenge_hash').primary()
        t.string('agent_id').notNullable()
        t.bigInteger('expires_at').notNullable().index()
      })
    if (isPostgres(schema)) await createChangeTrigger(schema, CHANGE)
  },
  async down(schema) {
    if (isPostgres(schema)) {
      await schema.raw(`DROP TRIGGER tell_${CHANGE.name} ON ${CHANGE.table}`)
      await schema.raw(`DROP FUNCTION tell_${CHANGE.name}`)
    }
    for (const table of ['credential_challenges', 'agent_credentials', 'agent_ancestors']) {
      await schema.schema.dropTable(table)
    }
    await schema.schema.alterTable('agents', (t) => {
      t.dropColumns('parent_agent_id', 'is_held')
    })
  },
}

const CHANGE = {
  name: 'agent_credentials',
  table: 'agent_credentials',
  events: 'UPDATE OR DELETE',
  payload: `'credential:' || changed.lookup_key`,
}
