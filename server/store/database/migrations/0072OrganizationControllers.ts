import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/** Notifies all processes of changed members of an organisation, because they cache who controls it. */
export const organizationControllers: NumberedMigration = {
  name: '0072_organization_controllers',
  async up(schema) {
    if (isPostgres(schema)) await createChangeTrigger(schema, CHANGE)
  },
  async down(schema) {
    if (!isPostgres(schema)) return
    await schema.raw(`DROP TRIGGER tell_${CHANGE.name} ON ${CHANGE.table}`)
    await schema.raw(`DROP FUNCTION tell_${CHANGE.name}`)
  },
}

const CHANGE = {
  name: 'organization_controllers',
  table: 'memberships',
  events: 'INSERT OR UPDATE OR DELETE',
  payload: `'organization:' || changed.organization_id`,
}
