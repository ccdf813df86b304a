import type { NumberedMigration } from '../numberedMigration.ts'

const HOUR_MS = 3_600_000

/**
 * Counts of requests that do not prove who sends them, apart from those that do.
 *
 * A granted sub-agent counts until its session ends; of earlier ones only the usual length of an hour is known. What was
 * spent before proofs existed counts for both, so that no cap is filled twice over the migration.
 */
export const unprovenWindows: NumberedMigration = {
  name: '0068_unproven_windows',
  async up(schema) {
    await schema.schema.alterTable('sub_agent_grants', (t) => {
      t.string('account')
      t.bigInteger('expires_at').notNullable().defaultTo(0)
    })
    await schema('sub_agent_grants').update({ expires_at: schema.raw('granted_at + ?', [HOUR_MS]) })
    await schema.raw('CREATE INDEX sub_agent_grants_expiry ON sub_agent_grants (expires_at)')
    await schema.raw(
      `CREATE INDEX step_up_approvals_pending_of_agent ON step_up_approvals (agent_id) WHERE status = 'pending'`,
    )
    await schema.raw(`INSERT INTO cumulative_spend (endpoint_id, agent_id, period, total)
      SELECT endpoint_id, agent_id || '~', period, total FROM cumulative_spend WHERE agent_id NOT IN ('*', 'anonymous')`)
  },
  async down(schema) {
    await schema('cumulative_spend').where('agent_id', 'like', '%~').delete()
    await schema.raw('DROP INDEX step_up_approvals_pending_of_agent')
    await schema.raw('DROP INDEX sub_agent_grants_expiry')
    await schema.schema.alterTable('sub_agent_grants', (t) => t.dropColumns('account', 'expires_at'))
  },
}
