import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The host that each passkey belongs to, as its relying party ID; null until it is used again if an earlier release stored
 * it.
 */
export const passkeyHosts: NumberedMigration = {
  name: '0160_passkey_hosts',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.raw('ALTER TABLE passkeys ADD COLUMN rp_id TEXT')
  },
  async down(schema) {
    await schema.raw('ALTER TABLE passkeys DROP COLUMN rp_id')
  },
}
