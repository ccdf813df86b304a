import type { NumberedMigration } from '../numberedMigration.ts'

/** The service's state about the chain: deployments, sealed batches, the relayer's outbox and its lease. */
export const chain: NumberedMigration = {
  name: '0004_chain',
  async up(schema) {
    await schema.schema
      .createTable('installation', (t) => {
        t.integer('id').primary()
        t.string('log_id').notNullable()
        t.bigInteger('created_at').notNullable()
      })
      .createTable('chain_deployments', (t) => {
        t.bigInteger('chain_id').primary()
        t.string('genesis_hash').notNullable()
        t.string('identity_registry').notNullable()
        t.string('audit_log').notNullable()
        t.string('log_id').notNullable()
        t.bigInteger('deployed_block').notNullable()
        t.bigInteger('next_nonce').notNullable()
        t.bigInteger('created_at').notNullable()
      })
      .createTable('audit_batches', (t) => {
        t.bigInteger('number').primary()
        t.bigInteger('prev_size').notNullable()
        t.bigInteger('new_size').notNullable()
        t.string('root').notNullable()
        t.text('consistency_proof').notNullable()
        t.string('status').notNullable()
        t.string('transaction_hash')
        t.bigInteger('block_number')
        t.bigInteger('sealed_at').notNullable()
        t.bigInteger('confirmed_at')
      })
      .createTable('relayer_intents', (t) => {
        t.increments('id')
        t.string('idempotency_key').notNullable().unique()
        t.string('kind').notNullable()
        t.text('payload').notNullable()
        t.string('status').notNullable()
        t.string('sender')
        t.bigInteger('nonce')
        t.integer('attempts').notNullable().defaultTo(0)
        t.text('result')
        t.text('last_error')
        t.bigInteger('next_attempt_at').notNullable()
        t.string('mined_hash')
        t.bigInteger('mined_block')
        t.string('mined_block_hash')
        t.bigInteger('created_at').notNullable()
        t.bigInteger('updated_at').notNullable()
        t.bigInteger('settled_at')
      })
      .createTable('relayer_transactions', (t) => {
        t.string('hash').primary()
        t.integer('intent_id').notNullable().references('relayer_intents.id').index()
        t.string('sender').notNullable()
        t.bigInteger('nonce').notNullable()
        t.text('raw').notNullable()
        t.string('max_fee_per_gas').notNullable()
        t.string('max_priority_fee_per_gas').notNullable()
        t.bigInteger('cost_gwei').notNullable()
        t.bigInteger('signed_at').notNullable().index()
        t.bigInteger('sent_at')
        t.index(['sender', 'nonce'])
      })
      .createTable('leases', (t) => {
        t.string('name').primary()
        t.string('holder').notNullable()
        t.bigInteger('expires_at').notNullable()
      })
    await schema.raw('CREATE INDEX relayer_intents_open ON relayer_intents (id) WHERE settled_at IS NULL')
    await schema.raw(
      'CREATE UNIQUE INDEX relayer_intents_nonce ON relayer_intents (sender, nonce) WHERE nonce IS NOT NULL',
    )
  },
  async down(schema) {
    for (const table of [
      'leases',
      'relayer_transactions',
      'relayer_intents',
      'audit_batches',
      'chain_deployments',
      'installation',
    ]) {
      await schema.schema.dropTable(table)
    }
  },
}
