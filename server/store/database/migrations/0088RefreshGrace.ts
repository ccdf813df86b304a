import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * What the exchange of a refresh token needs in order to be repeated: which token a token replaced, and the token itself,
 * masked with the one it replaced until it is used. Also why a session has ended.
 */
export const refreshGrace: NumberedMigration = {
  name: '0088_refresh_grace',
  async up(schema) {
    await schema.schema.alterTable('refresh_tokens', (t) => {
      t.string('predecessor_hash')
      t.string('masked')
    })
    await schema.raw(
      'CREATE UNIQUE INDEX refresh_tokens_predecessor ON refresh_tokens (predecessor_hash) WHERE predecessor_hash IS NOT NULL',
    )
    await schema.schema.alterTable('sessions', (t) => {
      t.string('end_reason')
    })
  },
  async down(schema) {
    await schema.raw('DROP INDEX refresh_tokens_predecessor')
    // The builder would create the tables of SQLite again, which other tables refer to.
    await schema.raw('ALTER TABLE sessions DROP COLUMN end_reason')
    await schema.raw('ALTER TABLE refresh_tokens DROP COLUMN predecessor_hash')
    await schema.raw('ALTER TABLE refresh_tokens DROP COLUMN masked')
  },
}
