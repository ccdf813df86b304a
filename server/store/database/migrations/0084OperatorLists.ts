import type { NumberedMigration } from '../numberedMigration.ts'
import { searchKeyOf } from '../searchKey.ts'

/** The columns whose beginning operators search, by index. */
const SEARCHED = {
  users_email_search: ['users', 'email'],
  users_name_search: ['users', 'full_name'],
  organizations_name_search: ['organizations', 'name'],
  endpoints_host_search: ['endpoints', 'host'],
  endpoints_name_search: ['endpoints', 'name'],
} as const

const LISTED = {
  users_operators: `users (id) WHERE role = 'operator'`,
  organizations_newest: 'organizations (created_at, id)',
  endpoints_claimed_newest: `endpoints (position) WHERE tier <> 'discovered'`,
  endpoints_claimed_deactivated: `endpoints (position) WHERE tier <> 'discovered' AND status = 'deactivated'`,
  endpoints_claimed_archived: `endpoints (position) WHERE tier <> 'discovered' AND status = 'archived'`,
} as const

/** Indexes for the lists of operators, which cover all owners. */
export const operatorLists: NumberedMigration = {
  name: '0084_operator_lists',
  async up(schema) {
    for (const [name, [table, column]] of Object.entries(SEARCHED)) {
      await schema.raw(`CREATE INDEX ${name} ON ${table} (${searchKeyOf(schema, column)})`)
    }
    for (const [name, on] of Object.entries(LISTED)) await schema.raw(`CREATE INDEX ${name} ON ${on}`)
  },
  async down(schema) {
    for (const name of [...Object.keys(SEARCHED), ...Object.keys(LISTED)]) {
      await schema.raw(`DROP INDEX ${name}`)
    }
  },
}
