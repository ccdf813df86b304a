import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The registration file of each agent that is in IPFS: its SHA-256, which its content identifier is made from, and
 * whether its token was asked to lead there since.
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
