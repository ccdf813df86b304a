import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Each agent's token as last read from the chain, which is authoritative.
 *
 * `seen_block` is the block of that read, `registry_cursors` the block up to which a registry's events were processed,
 * and `installation.public_url` the base URL that all tokens and registration files were last updated to.
 */
export const agentTokens: NumberedMigration = {
  name: '0006_agent_tokens',
  async up(schema) {
    await schema.schema
      .createTable('agent_tokens', (t) => {
        t.string('svc_id').primary()
        t.string('custody').notNullable()
        t.string('holder').notNullable().index()
        t.string('wallet')
        t.text('uri').notNullable()
        t.bigInteger('seen_block').notNullable()
      })
      .createTable('registry_cursors', (t) => {
        t.string('registry').primary()
        t.bigInteger('block').notNullable()
      })
      .alterTable('installation', (t) => {
        t.string('public_url')
      })
  },
  async down(schema) {
    for (const table of ['registry_cursors', 'agent_tokens']) await schema.schema.dropTable(table)
    await schema.schema.alterTable('installation', (t) => {
      t.dropColumn('public_url')
    })
  },
}
