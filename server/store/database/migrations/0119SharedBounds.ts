import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * For whom and from which network the relayer pays, and the answers by which a search for a Hard Limit is noticed, for an
 * hour.
 *
 * A process looks for searches of an agent once it knows of a denial, so these are notified. Intents of earlier versions
 * count for nobody.
 */
export const sharedBounds: NumberedMigration = {
  name: '0119_shared_bounds',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.alterTable('relayer_intents', (t) => {
      t.string('account_id')
      t.string('network')
    })
    await schema.schema.createTable('limit_answers', (t) => {
      t.increments('id')
      t.string('agent_id').notNullable()
      t.string('account_id').notNullable()
      t.double('amount').notNullable()
      t.boolean('is_over').notNullable()
      t.bigInteger('answered_at').notNullable().index('limit_answers_answered_at')
      t.index(['agent_id', 'id'], 'limit_answers_agent')
    })
    if (isPostgres(schema)) await createChangeTrigger(schema, DENIALS)
  },
  async down(schema) {
    if (isPostgres(schema)) {
      await schema.raw(`DROP TRIGGER tell_${DENIALS.name} ON ${DENIALS.table}`)
      await schema.raw(`DROP FUNCTION tell_${DENIALS.name}`)
    }
    await schema.schema.dropTable('limit_answers')
    await schema.schema.alterTable('relayer_intents', (t) => t.dropColumns('account_id', 'network'))
  },
}

const DENIALS = {
  name: 'limit_answers',
  table: 'limit_answers',
  events: 'INSERT',
  payload: `CASE WHEN changed.is_over THEN 'limit:' || changed.agent_id END`,
}
