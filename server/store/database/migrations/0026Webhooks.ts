import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Webhooks of endpoints, and the outbox of their deliveries.
 *
 * `webhook_from_seq` is the sequence number from which an endpoint's webhook receives events; `webhook_position` is
 * the one up to which the log was turned into deliveries, advanced in the transaction that writes them. `seq` makes an
 * event one delivery per endpoint; tests and redeliveries have none. A running attempt has moved `next_attempt_at` to
 * the time at which it counts as lost, so that one lookup per host finds what is due, however much is pending there.
 */
export const webhooks: NumberedMigration = {
  name: '0026_webhooks',
  async up(schema) {
    await schema.schema
      .alterTable('endpoints', (t) => {
        t.bigInteger('webhook_from_seq')
        t.bigInteger('webhook_disabled_at')
        t.text('previous_webhook_secret')
        t.bigInteger('previous_webhook_secret_until')
      })
      .createTable('webhook_position', (t) => {
        t.integer('id').primary()
        t.bigInteger('next_seq').notNullable()
      })
      .createTable('webhook_deliveries', (t) => {
        t.increments('position')
        t.string('id').notNullable().unique()
        t.string('endpoint_id').notNullable()
        t.string('event_id').notNullable()
        t.string('event_type').notNullable()
        t.bigInteger('seq')
        t.string('redelivery_of')
        t.text('payload').notNullable()
        t.string('host').notNullable()
        t.string('status').notNullable()
        t.integer('attempts').notNullable().defaultTo(0)
        t.bigInteger('next_attempt_at').notNullable()
        t.bigInteger('last_attempt_at')
        t.integer('last_duration_ms')
        t.integer('last_status')
        t.string('last_error')
        t.bigInteger('created_at').notNullable()
        t.bigInteger('settled_at')
        t.unique(['endpoint_id', 'seq'])
        t.index(['endpoint_id', 'position'])
      })
    await schema.raw(
      'CREATE INDEX endpoints_webhook_from_seq ON endpoints (webhook_from_seq) WHERE webhook_from_seq IS NOT NULL',
    )
    await schema.raw(
      `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (host, next_attempt_at) WHERE status = 'pending'`,
    )
    await schema.raw(
      `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id) WHERE status = 'pending'`,
    )
    await schema.raw(
      'CREATE INDEX webhook_deliveries_settled ON webhook_deliveries (settled_at) WHERE settled_at IS NOT NULL',
    )
    await schema('webhook_position').insert({ id: 1, next_seq: 0 })
  },
  async down(schema) {
    for (const table of ['webhook_deliveries', 'webhook_position']) await schema.schema.dropTable(table)
    await schema.raw('DROP INDEX endpoints_webhook_from_seq')
    await schema.schema.alterTable('endpoints', (t) => {
      t.dropColumns(
        'webhook_from_seq',
        'webhook_disabled_at',
        'previous_webhook_secret',
        'previous_webhook_secret_until',
      )
    })
  },
}
