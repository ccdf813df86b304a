import { type ChangeTrigger, createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * What the processes of a PostgreSQL database share besides data: generated keys, rate budgets, and notifications of
 * changed rows, which the database itself sends so that no writer can forget them.
 *
 * SQLite files contain none of this, because one process has them to itself.
 */
export const sharedState: NumberedMigration = {
  name: '0014_shared_state',
  async up(schema) {
    if (!isPostgres(schema)) return
    await schema.schema.createTable('shared_keys', (t) => {
      t.string('name').primary()
      t.text('sealed').notNullable()
    })
    // A budget covers minutes: after a crash of the server it may restart, and until then it costs no sync.
    await schema.raw(`CREATE UNLOGGED TABLE rate_windows (
      budget text NOT NULL,
      caller text NOT NULL,
      ends_at bigint NOT NULL,
      taken bigint NOT NULL,
      PRIMARY KEY (budget, caller)
    )`)
    await schema.raw('CREATE INDEX rate_windows_ends_at ON rate_windows (ends_at)')
    for (const change of CHANGES) await createChangeTrigger(schema, change)
  },
  async down(schema) {
    if (!isPostgres(schema)) return
    for (const { table, name } of CHANGES) {
      await schema.raw(`DROP TRIGGER tell_${name} ON ${table}`)
      await schema.raw(`DROP FUNCTION tell_${name}`)
    }
    for (const table of ['rate_windows', 'shared_keys']) await schema.schema.dropTable(table)
  },
}

/** Every cached fact, and the tables it is based on. */
const CHANGES: readonly ChangeTrigger[] = [
  { name: 'agents', table: 'agents', events: 'UPDATE OR DELETE', payload: `'agent:' || changed.svc_id` },
  {
    name: 'endpoints',
    table: 'endpoints',
    events: 'UPDATE OR DELETE',
    payload: `'endpoint:' || changed.id || ':' || COALESCE(changed.svce_id, '')`,
  },
  {
    // A discovered endpoint does not replace another.
    name: 'new_endpoints',
    table: 'endpoints',
    events: 'INSERT',
    payload: `CASE WHEN changed.tier <> 'discovered'
      THEN 'endpoint:' || changed.id || ':' || COALESCE(changed.svce_id, '') END`,
  },
  {
    name: 'endpoint_owners',
    table: 'endpoints',
    events: 'UPDATE',
    payload: `CASE WHEN (OLD.tier, OLD.status, OLD.owner_id) IS DISTINCT FROM (NEW.tier, NEW.status, NEW.owner_id)
      THEN (SELECT 'owner:' || created_by FROM organizations WHERE id = changed.owner_id) END`,
  },
  {
    name: 'allowlist_entries',
    table: 'allowlist_entries',
    events: 'INSERT OR UPDATE OR DELETE',
    payload: `(SELECT 'endpoint:' || id || ':' || COALESCE(svce_id, '') FROM endpoints WHERE id = changed.endpoint_id)`,
  },
  { name: 'api_keys', table: 'api_keys', events: 'UPDATE OR DELETE', payload: `'key:' || changed.key_hash` },
  { name: 'sessions', table: 'sessions', events: 'UPDATE OR DELETE', payload: `'session:' || changed.id` },
  {
    name: 'memberships',
    table: 'memberships',
    events: 'INSERT OR UPDATE OR DELETE',
    payload: `'account:' || changed.user_id`,
  },
  { name: 'users', table: 'users', events: 'UPDATE OR DELETE', payload: `'account:' || changed.id` },
  { name: 'user_facts', table: 'users', events: 'UPDATE', payload: `'owner:' || changed.id` },
  {
    name: 'passkeys',
    table: 'passkeys',
    events: 'INSERT OR UPDATE OR DELETE',
    payload: `CASE WHEN OLD.user_id IS DISTINCT FROM NEW.user_id THEN 'owner:' || changed.user_id END`,
  },
  {
    name: 'organizations',
    table: 'organizations',
    events: 'UPDATE',
    payload: `CASE WHEN OLD.created_by IS DISTINCT FROM NEW.created_by THEN 'owner:' || changed.created_by END`,
  },
]
