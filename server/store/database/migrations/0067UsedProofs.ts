import { createChangeTrigger } from '../changes/changeTrigger.postgres.ts'
import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * The proofs of identity that were used, by expiry and the hash of key and nonce, until they expire. A request that is held
 * for approval may present its proof again with the same attempt.
 *
 * The `agentWallet` of a token is a key of its agent, which processes cache, so its changes are notified as well.
 */
export const usedProofs: NumberedMigration = {
  name: '0067_used_proofs',
  async up(schema) {
    // Every signed request adds a row: with SQLite's hidden row number it would also add one to a second tree.
    await schema.raw(`CREATE TABLE used_proofs (
      proof VARCHAR(255) NOT NULL PRIMARY KEY,
      expires_at BIGINT NOT NULL,
      attempt_id VARCHAR(255)
    ) ${isPostgres(schema) ? '' : 'WITHOUT ROWID'}`)
    await schema.raw('CREATE INDEX used_proofs_expires_at ON used_proofs (expires_at)')
    if (isPostgres(schema)) await createChangeTrigger(schema, TOKEN_CHANGES)
  },
  async down(schema) {
    if (isPostgres(schema)) {
      await schema.raw(`DROP TRIGGER tell_${TOKEN_CHANGES.name} ON ${TOKEN_CHANGES.table}`)
      await schema.raw(`DROP FUNCTION tell_${TOKEN_CHANGES.name}`)
    }
    await schema.schema.dropTable('used_proofs')
  },
}

const TOKEN_CHANGES = {
  name: 'token_wallets',
  table: 'agent_tokens',
  events: 'INSERT OR UPDATE OR DELETE',
  payload: `'agent:' || changed.svc_id`,
}
