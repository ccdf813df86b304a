import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Stores the file that each agent's token was requested to point at, so that one index contains exactly the agents
 * whose file is not in IPFS yet: scanning all agents for them blocked everyone on an embedded database.
 */
export const ledTokens: NumberedMigration = {
  name: '0046_led_tokens',
  async up(schema) {
    await schema.schema.alterTable('agents', (t) => {
      t.string('led_file_hash')
    })
    await schema.raw(
      `UPDATE agents SET led_file_hash = ipfs_files.file_hash FROM ipfs_files
       WHERE ipfs_files.svc_id = agents.svc_id AND ipfs_files.is_led`,
    )
    await schema.raw('ALTER TABLE ipfs_files DROP COLUMN is_led')
    await schema.raw(
      `CREATE INDEX agents_not_led ON agents (svc_id)
       WHERE chain_agent_id IS NOT NULL AND COALESCE(led_file_hash, '') <> registration_file_hash`,
    )
  },
  async down(schema) {
    await schema.schema.alterTable('ipfs_files', (t) => {
      t.boolean('is_led').notNullable().defaultTo(false)
    })
    await schema.raw(
      `UPDATE ipfs_files SET is_led = true
       WHERE EXISTS (SELECT 1 FROM agents WHERE agents.svc_id = ipfs_files.svc_id AND led_file_hash = file_hash)`,
    )
    await schema.raw('DROP INDEX agents_not_led')
    await schema.raw('ALTER TABLE agents DROP COLUMN led_file_hash')
  },
}
