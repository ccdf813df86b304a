import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The measures of operators that are in force: a suspended account (`SVCD-`) or organisation (`SVCO-`), a released endpoint
 * (UUID) or a withdrawn platform agent (`SVC-`). A measure that is lifted is deleted; the audit log keeps both events.
 *
 * `decided_by` is the `SVCD-` identifier of the operator.
 */
export const interventions: NumberedMigration = {
  name: '0070_interventions',
  async up(schema) {
    await schema.schema.createTable('interventions', (t) => {
      t.string('subject_id').primary()
      t.text('reason').notNullable()
      t.string('decided_by').notNullable()
      t.bigInteger('decided_at').notNullable()
    })
    if (!isPostgres(schema)) return
    // Endpoints and agents have triggers of their own.
    await createChangeTrigger(schema, {
      name: 'interventions',
      table: 'interventions',
      events: 'INSERT OR DELETE',
      payload: `CASE WHEN left(changed.subject_id, 5) IN ('SVCD-', 'SVCO-')
        THEN 'standing:' || changed.subject_id END`,
    })
  },
  async down(schema) {
    await schema.schema.dropTable('interventions')
    if (isPostgres(schema)) await schema.raw('DROP FUNCTION tell_interventions')
  },
}
