import type { Knex } from 'knex'
import { migrations } from '../../../server/store/database/migrations/index.ts'

/** Tables that every decision reads or writes. */
const EXPANDED = ['agents', 'endpoints', 'organizations', 'api_keys', 'audit_records']

/**
 * Entry point of the service as its next release might be: the same code with one more migration, which expands the
 * tables and allows the present release to run beside it.
 */
migrations.push({
  name: '9999_next_release',
  oldestBeside: migrations.at(-1)?.name ?? '',
  async up(schema: Knex) {
    for (const table of EXPANDED) await schema.schema.alterTable(table, (t) => void t.text('added'))
  },
  async down(schema: Knex) {
    for (const table of EXPANDED) await schema.schema.alterTable(table, (t) => void t.dropColumn('added'))
  },
})
await import('../../../server/main.ts')
