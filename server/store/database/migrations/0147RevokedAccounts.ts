import type { Knex } from 'knex'
import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The Ethereum accounts that sign for no agent of an organisation, although an agent was registered by one or names it on
 * chain. Before, they were those that the creator of the organisation had unlinked, who could therefore bring one back after
 * leaving it.
 *
 * Processes cache which accounts sign, so changes are notified. What somebody unlinks, or revokes for agents of their own,
 * also counts for the organisations that they create; the database itself notes it there, because an earlier release that
 * runs beside does not.
 */
export const revokedAccounts: NumberedMigration = {
  name: '0147_revoked_accounts',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema.createTable('revoked_accounts', (t) => {
      t.string('organization_id').notNullable()
      t.string('address').notNullable()
      t.primary(['organization_id', 'address'])
      t.index(['address'])
    })
    await schema.raw(`INSERT INTO revoked_accounts (organization_id, address)
      SELECT organizations.id, unlinked_wallets.address FROM organizations
      JOIN unlinked_wallets ON unlinked_wallets.user_id = organizations.created_by`)
    for (const note of NOTES) await createNote(schema, note)
    if (isPostgres(schema)) await createChangeTrigger(schema, CHANGE)
  },
  async down(schema) {
    await dropTriggers(schema)
    await schema.schema.dropTable('revoked_accounts')
  },
}

/** What the database writes itself, after a row is inserted. */
const NOTES = [
  {
    name: 'note_revoked_accounts',
    table: 'unlinked_wallets',
    statement: `INSERT INTO revoked_accounts (organization_id, address)
      SELECT organizations.id, NEW.address FROM organizations
      WHERE organizations.created_by = NEW.user_id AND NOT EXISTS (
        SELECT 1 FROM revoked_accounts AS noted
        WHERE noted.organization_id = organizations.id AND noted.address = NEW.address)`,
  },
  {
    name: 'note_unlinked_wallets',
    table: 'organizations',
    statement: `INSERT INTO revoked_accounts (organization_id, address)
      SELECT NEW.id, unlinked_wallets.address FROM unlinked_wallets
      WHERE unlinked_wallets.user_id = NEW.created_by`,
  },
] as const

async function createNote(schema: Knex, { name, table, statement }: (typeof NOTES)[number]): Promise<void> {
  if (!isPostgres(schema)) {
    await schema.raw(`CREATE TRIGGER ${name} AFTER INSERT ON ${table} BEGIN ${statement}; END`)
    return
  }
  await schema.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${statement}; RETURN NULL; END $$`)
  await schema.raw(`CREATE TRIGGER ${name} AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
}

const CHANGE = {
  name: 'revoked_accounts',
  table: 'revoked_accounts',
  events: 'INSERT OR UPDATE OR DELETE',
  payload: `(SELECT 'owner:' || created_by FROM organizations WHERE id = changed.organization_id)`,
}

async function dropTriggers(schema: Knex): Promise<void> {
  if (!isPostgres(schema)) {
    for (const { name } of NOTES) await schema.raw(`DROP TRIGGER ${name}`)
    return
  }
  for (const { name, table } of [...NOTES, { name: `tell_${CHANGE.name}`, table: CHANGE.table }]) {
    await schema.raw(`DROP TRIGGER ${name} ON ${table}`)
    await schema.raw(`DROP FUNCTION ${name}`)
  }
}
