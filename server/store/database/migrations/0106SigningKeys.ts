import type { NumberedMigration } from '../numberedMigration.ts'

/** The keys that sign for the registry after the first one of each purpose, which is in the data folder. */
export const signingKeys: NumberedMigration = {
  name: '0106_signing_keys',
  async up(schema) {
    await schema.schema.createTable('signing_keys', (t) => {
      t.string('kid').primary()
      t.string('purpose').notNullable()
      t.text('sealed').notNullable()
      t.bigInteger('signs_from').notNullable()
      t.bigInteger('former_until').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('signing_keys')
  },
}
