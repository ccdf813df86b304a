import type { Knex } from 'knex'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Receipts of decisions, for endpoints that ask for them; `status_index` is the position of a grant in the status lists.
 *
 * The database itself withdraws the grants of an agent that becomes inactive, and those that rest on a revoked key, so that
 * no writer can forget it. A receipt is inserted while others wait for the commit, so the table has only the indexes that
 * withdrawing needs.
 */
export const receipts: NumberedMigration = {
  name: '0073_receipts',
  async up(schema) {
    await schema.schema.alterTable('endpoints', (t) => {
      t.boolean('include_receipt').notNullable().defaultTo(false)
    })
    await schema.schema.createTable('receipts', (t) => {
      t.string('record_id').primary()
      t.string('agent_id').notNullable()
      t.bigInteger('status_index')
      t.string('key_thumbprint')
      t.text('receipt').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.bigInteger('withdrawn_at')
    })
    for (const [name, on] of Object.entries(INDEXES)) await schema.raw(`CREATE INDEX ${name} ON ${on}`)
    await schema.schema.createTable('status_indexes', (t) => {
      t.bigInteger('next').notNullable()
    })
    await schema('status_indexes').insert({ next: 0 })
    for (const trigger of TRIGGERS) await createTrigger(schema, trigger)
  },
  async down(schema) {
    for (const { name, table } of TRIGGERS) {
      await schema.raw(`DROP TRIGGER ${name}${isPostgres(schema) ? ` ON ${table}` : ''}`)
      if (isPostgres(schema)) await schema.raw(`DROP FUNCTION ${name}`)
    }
    for (const table of ['status_indexes', 'receipts']) await schema.schema.dropTable(table)
    await schema.schema.alterTable('endpoints', (t) => t.dropColumns('include_receipt'))
  },
}

const INDEXES = {
  receipts_granted: 'receipts (agent_id, expires_at) WHERE status_index IS NOT NULL',
  receipts_withdrawn: 'receipts (status_index) WHERE withdrawn_at IS NOT NULL',
} as const

type WithdrawalTrigger = {
  name: string
  table: string
  columns: string
  /** SQL conditions and expressions over the row `NEW`. */
  when: string
  agentId: string
  at: string
  /** Which of the agent's receipts. */
  only: string
}

const TRIGGERS: readonly WithdrawalTrigger[] = [
  {
    name: 'withdraw_of_agent',
    table: 'agents',
    columns: 'status, is_held',
    when: `NEW.status <> 'active' OR NEW.is_held = true`,
    agentId: 'NEW.svc_id',
    at: 'NEW.updated_at',
    only: 'true',
  },
  {
    name: 'withdraw_of_key',
    table: 'agent_keys',
    columns: 'revoked_at',
    when: 'NEW.revoked_at IS NOT NULL',
    agentId: 'NEW.agent_id',
    at: 'NEW.revoked_at',
    only: 'key_thumbprint = NEW.kid',
  },
]

async function createTrigger(schema: Knex, trigger: WithdrawalTrigger): Promise<void> {
  const { name, table, columns, when, agentId, at, only } = trigger
  const withdraw = `UPDATE receipts SET withdrawn_at = ${at} WHERE agent_id = ${agentId} AND status_index IS NOT NULL
    AND withdrawn_at IS NULL AND expires_at > ${at} AND ${only};`
  if (!isPostgres(schema)) {
    await schema.raw(
      `CREATE TRIGGER ${name} AFTER UPDATE OF ${columns} ON ${table} WHEN ${when} BEGIN ${withdraw} END`,
    )
    return
  }
  // A decision that is being recorded holds a lock on the row of its agent; once it is released, its receipt is visible.
  await schema.raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (${when}) AND NEW IS DISTINCT FROM OLD THEN
        PERFORM 1 FROM agents WHERE svc_id = ${agentId} FOR UPDATE;
        ${withdraw}
      END IF;
      RETURN NULL;
    END $$`)
  // Without a list of columns, whose types could then no longer be changed.
  await schema.raw(`CREATE TRIGGER ${name} AFTER UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`)
}
