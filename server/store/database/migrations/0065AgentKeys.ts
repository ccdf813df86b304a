import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The public keys with which an agent proves its requests.
 *
 * `agent_id` is the `SVC-` identifier, `kid` the JWK thumbprint, `jwk` JSON. A revoked key stays, so that it is not added
 * again.
 */
export const agentKeys: NumberedMigration = {
  name: '0065_agent_keys',
  async up(schema) {
    await schema.schema.createTable('agent_keys', (t) => {
      t.increments('position')
      t.string('id').notNullable().unique()
      t.string('agent_id').notNullable()
      t.string('kid').notNullable().index()
      t.text('jwk').notNullable()
      t.text('name')
      t.bigInteger('created_at').notNullable()
      t.bigInteger('revoked_at')
      t.unique(['agent_id', 'kid'])
    })
    if (isPostgres(schema)) await createChangeTrigger(schema, CHANGE)
  },
  async down(schema) {
    await schema.schema.dropTable('agent_keys')
    if (isPostgres(schema)) await schema.raw(`DROP FUNCTION tell_${CHANGE.name}`)
  },
}

const CHANGE = {
  name: 'agent_keys',
  table: 'agent_keys',
  events: 'INSERT OR UPDATE OR DELETE',
  payload: `'agent:' || changed.agent_id`,
}
