import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The registration file of each agent in IPFS: its SHA-256, which determines its content identifier, and whether its
 * token was requested to point at it since.
 */
export const ipfsFiles: NumberedMigration = {
  name: '0041_ipfs_files',
  async up(schema) {
    await schema.schema.createTable('ipfs_files', (t) => {
      t.string('svc_id').primary()
      t.string('file_hash').notNullable()
      t.boolean('is_led').notNullable()
    })
  },
  async down(schema) {
    await schema.schema.dropTable('ipfs_files')
  },
}
