import type { NumberedMigration } from '../numberedMigration.ts'

/** Indexes of expired refresh tokens and long unused sessions, for their deletion. */
export const oldSessions: NumberedMigration = {
  name: '0044_old_sessions',
  async up(schema) {
    await schema.raw('CREATE INDEX refresh_tokens_expires_at ON refresh_tokens (expires_at)')
    await schema.raw(
      'CREATE INDEX sessions_last_used ON sessions ((COALESCE(last_used_at, authenticated_at)))',
    )
  },
  async down(schema) {
    await schema.raw('DROP INDEX sessions_last_used')
    await schema.raw('DROP INDEX refresh_tokens_expires_at')
  },
}
