import type { Knex } from 'knex'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The owner's side of step-up; `position` is the order of arrival, by which lists are paged.
 *
 * Approvals get the counterparty of their events, the salt of their challenge, their decider, and whether the owner
 * was notified. Both tables are rebuilt, because SQLite cannot add a primary key to an existing table.
 */
export const ownerNotices: NumberedMigration = {
  name: '0009_owner_notices',
  async up(schema) {
    await rebuild(schema, 'step_up_approvals', addApprovalColumns, { announced_at: 'created_at' })
    await rebuild(schema, 'alerts', alertColumns, {})
    await schema.schema
      .alterTable('step_up_approvals', (t) => {
        t.unique(['id'], { indexName: 'step_up_approvals_id' })
        t.index(['agent_id', 'attempt_id'], 'step_up_approvals_attempt')
        t.index(['owner_id', 'position'], 'step_up_approvals_owner')
      })
      .alterTable('alerts', (t) => {
        t.unique(['id'], { indexName: 'alerts_id' })
        t.unique(['owner_id', 'code', 'subject', 'day'], { indexName: 'alerts_once_a_day' })
        t.index(['owner_id', 'position'], 'alerts_owner')
      })
    await schema.raw(
      `CREATE INDEX step_up_approvals_pending ON step_up_approvals (expires_at) WHERE status = 'pending'`,
    )
    await schema.raw(
      'CREATE INDEX step_up_approvals_unannounced ON step_up_approvals (position) WHERE announced_at IS NULL',
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX step_up_approvals_unannounced')
    await schema.schema.alterTable('step_up_approvals', (t) => {
      t.dropColumns('counterparty_owner_id', 'challenge_salt', 'decided_by', 'announced_at')
    })
    await schema.schema.alterTable('alerts', (t) => t.dropColumns('data', 'read_at'))
  },
}

const APPROVAL_COLUMNS = [
  'id',
  'agent_id',
  'owner_id',
  'endpoint_id',
  'api_key_id',
  'attempt_id',
  'request_hash',
  'request',
  'dimensions',
  'needs_fresh_assertion',
  'status',
  'created_at',
  'expires_at',
  'decided_at',
  'consumed_at',
]

function addApprovalColumns(t: Knex.CreateTableBuilder): readonly string[] {
  t.increments('position')
  t.string('id').notNullable()
  t.string('agent_id').notNullable()
  t.string('owner_id').notNullable()
  t.string('counterparty_owner_id')
  t.string('endpoint_id')
  t.string('api_key_id').notNullable()
  t.string('attempt_id').notNullable()
  t.string('request_hash').notNullable()
  t.text('request').notNullable()
  t.text('dimensions').notNullable()
  t.boolean('needs_fresh_assertion').notNullable()
  t.string('challenge_salt').notNullable().defaultTo('')
  t.string('status').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('decided_at')
  t.string('decided_by')
  t.bigInteger('consumed_at')
  t.bigInteger('announced_at')
  return APPROVAL_COLUMNS
}

function alertColumns(t: Knex.CreateTableBuilder): readonly string[] {
  t.increments('position')
  t.string('id').notNullable()
  t.string('owner_id').notNullable()
  t.string('code').notNullable()
  t.string('severity').notNullable()
  t.string('subject').notNullable()
  t.string('day').notNullable()
  t.text('data').notNullable().defaultTo('{}')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('read_at')
  return ['id', 'owner_id', 'code', 'severity', 'subject', 'day', 'created_at']
}

/** Copies a table into one with the given columns; `derived` computes new columns from old ones. */
async function rebuild(
  schema: Knex,
  table: string,
  columns: (t: Knex.CreateTableBuilder) => readonly string[],
  derived: Record<string, string>,
): Promise<void> {
  let kept: readonly string[] = []
  const fresh = `${table}_0009`
  await schema.schema.createTable(fresh, (t) => {
    kept = columns(t)
  })
  const into = [...kept, ...Object.keys(derived)]
  const from = [...kept, ...Object.values(derived)]
  await schema.raw(
    `INSERT INTO ${fresh} (${into.join(', ')}) SELECT ${from.join(', ')} FROM ${table} ORDER BY created_at, id`,
  )
  await schema.schema.dropTable(table)
  await schema.schema.renameTable(fresh, table)
}
