import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES = {
  relayer_intents_open_known: 'relayer_intents (status, id) WHERE settled_at IS NULL AND stranger_id IS NULL',
  relayer_intents_open_strangers:
    'relayer_intents (status, id) WHERE settled_at IS NULL AND stranger_id IS NOT NULL',
} as const

/**
 * The user without a verified identity for whose agent an intent is, so that strangers use up only their share of the gas.
 * Intents of earlier versions count as those of known users.
 */
export const strangersGas: NumberedMigration = {
  name: '0071_strangers_gas',
  async up(schema) {
    await schema.schema.alterTable('relayer_intents', (t) => {
      t.string('stranger_id')
    })
    for (const [name, on] of Object.entries(INDEXES)) await schema.raw(`CREATE INDEX ${name} ON ${on}`)
  },
  async down(schema) {
    for (const name of Object.keys(INDEXES)) await schema.raw(`DROP INDEX ${name}`)
    await schema.schema.alterTable('relayer_intents', (t) => t.dropColumns('stranger_id'))
  },
}
