import type { Knex } from 'knex'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/** Notifies processes of added credentials too: an agent that they have cached may sign with the account of a new one. */
export const addedCredentials: NumberedMigration = {
  name: '0153_added_credentials',
  oldestBeside: '0117_database_features',
  async up(schema) {
    if (isPostgres(schema)) await tellOf(schema, 'INSERT OR UPDATE OR DELETE')
  },
  async down(schema) {
    if (isPostgres(schema)) await tellOf(schema, 'UPDATE OR DELETE')
  },
}

async function tellOf(schema: Knex, events: string): Promise<void> {
  await schema.raw('DROP TRIGGER tell_agent_credentials ON agent_credentials')
  await schema.raw(`CREATE TRIGGER tell_agent_credentials AFTER ${events} ON agent_credentials
    FOR EACH ROW EXECUTE FUNCTION tell_agent_credentials()`)
}
