import type { Knex } from 'knex'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

const DAY_MS = 86_400_000

/**
 * The session of each granted sub-agent, with whose end it counts no longer. An agent that is suspended, held or retired has
 * no sessions. None counts for longer than a day, whatever length the counterparty stated.
 */
export const subAgentSessions: NumberedMigration = {
  name: '0129_sub_agent_sessions',
  oldestBeside: '0124_several_logs',
  async up(schema) {
    await schema.schema.alterTable('sub_agent_grants', (t) => t.string('session_id'))
    await schema('sub_agent_grants')
      .whereRaw('expires_at > granted_at + ?', [DAY_MS])
      .update({ expires_at: schema.raw('granted_at + ?', [DAY_MS]) })
    await createTrigger(schema)
  },
  async down(schema) {
    await schema.raw(`DROP TRIGGER ${TRIGGER}${isPostgres(schema) ? ' ON agents' : ''}`)
    if (isPostgres(schema)) await schema.raw(`DROP FUNCTION ${TRIGGER}`)
    await schema.schema.alterTable('sub_agent_grants', (t) => t.dropColumns('session_id'))
  },
}

const TRIGGER = 'end_sub_agents_of_agent'

const IS_CLOSED = `NEW.status <> 'active' OR NEW.is_held = true`

const END = 'DELETE FROM sub_agent_grants WHERE agent_id = NEW.svc_id;'

async function createTrigger(schema: Knex): Promise<void> {
  if (!isPostgres(schema)) {
    await schema.raw(
      `CREATE TRIGGER ${TRIGGER} AFTER UPDATE OF status, is_held ON agents WHEN ${IS_CLOSED} BEGIN ${END} END`,
    )
    return
  }
  await schema.raw(`CREATE FUNCTION ${TRIGGER}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (${IS_CLOSED}) AND NEW IS DISTINCT FROM OLD THEN
        ${END}
      END IF;
      RETURN NULL;
    END $$`)
  // Without a list of columns, whose types could then no longer be changed.
  await schema.raw(
    `CREATE TRIGGER ${TRIGGER} AFTER UPDATE ON agents FOR EACH ROW EXECUTE FUNCTION ${TRIGGER}()`,
  )
}
