import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * `shared_keys` on SQLite as well: a text sealed at the first start shows whether the secrets key is still the same.
 */
export const sharedKeysEverywhere: NumberedMigration = {
  name: '0040_shared_keys_everywhere',
  async up(schema) {
    if (isPostgres(schema)) return
    await schema.schema.createTable('shared_keys', (t) => {
      t.string('name').primary()
      t.text('sealed').notNullable()
    })
  },
  async down(schema) {
    if (!isPostgres(schema)) await schema.schema.dropTable('shared_keys')
  },
}
