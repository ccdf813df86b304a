import type { NumberedMigration } from '../numberedMigration.ts'

/** The ids of the keys with which secrets may be encrypted; more than one while a rotation is not finished. */
export const secretsKeys: NumberedMigration = {
  name: '0105_secrets_keys',
  async up(schema) {
    await schema.schema.createTable('secrets_keys', (t) => {
      t.string('key_id').primary()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('secrets_keys')
  },
}
