import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * What signing in needs besides a password: mailed tokens, counted attempts, authenticator codes, and where a session
 * was opened. Only the SHA-256 of tokens and recovery codes is stored.
 */
export const signIn: NumberedMigration = {
  name: '0018_sign_in',
  async up(schema) {
    await schema.schema
      .alterTable('sessions', (t) => {
        t.string('browser')
        t.string('network')
        t.bigInteger('last_used_at')
      })
      .createTable('mailed_tokens', (t) => {
        t.string('token_hash').primary()
        t.string('purpose').notNullable()
        t.string('email').notNullable()
        t.bigInteger('expires_at').notNullable().index()
        t.unique(['purpose', 'email'])
      })
      .createTable('attempts', (t) => {
        t.string('subject').primary()
        t.integer('taken').notNullable()
        t.bigInteger('window_ends_at').notNullable()
        t.integer('locks').notNullable()
        t.bigInteger('locked_until').notNullable()
        t.bigInteger('forget_at').notNullable().index()
      })
      .createTable('totp_factors', (t) => {
        t.string('user_id').primary().references('users.id')
        t.text('sealed_secret').notNullable()
        t.bigInteger('last_step').notNullable()
        t.bigInteger('created_at').notNullable()
        t.bigInteger('confirmed_at')
      })
      .createTable('recovery_codes', (t) => {
        t.string('code_hash').primary()
        t.string('user_id').notNullable().references('users.id').index()
      })
      .createTable('interim_sign_ins', (t) => {
        t.string('token_hash').primary()
        t.string('user_id').notNullable().references('users.id')
        t.text('amr').notNullable()
        t.integer('tries').notNullable()
        t.bigInteger('expires_at').notNullable().index()
      })
    if (!isPostgres(schema)) return
    // An agent's score depends on its owner's second factor, and every process caches scores.
    await schema.raw(`CREATE FUNCTION tell_totp_factors() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('svc_changes', 'owner:' || COALESCE(NEW.user_id, OLD.user_id));
        RETURN NULL;
      END $$`)
    await schema.raw(`CREATE TRIGGER tell_totp_factors AFTER INSERT OR UPDATE OR DELETE ON totp_factors
      FOR EACH ROW EXECUTE FUNCTION tell_totp_factors()`)
  },
  async down(schema) {
    for (const table of ['interim_sign_ins', 'recovery_codes', 'totp_factors', 'attempts', 'mailed_tokens']) {
      await schema.schema.dropTable(table)
    }
    if (isPostgres(schema)) await schema.raw('DROP FUNCTION tell_totp_factors')
    await schema.schema.alterTable('sessions', (t) => t.dropColumns('browser', 'network', 'last_used_at'))
  },
}
