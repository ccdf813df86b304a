import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Agents that their owners want to be found, and the terms by which they are: `listed`, `protocol:<name>` and
 * `skill:<name>`. Terms are in the order of `agents.position`.
 */
export const directory: NumberedMigration = {
  name: '0123_directory',
  oldestBeside: '0117_database_features',
  async up(schema) {
    await schema.schema
      .alterTable('agents', (t) => {
        t.boolean('is_listed').notNullable().defaultTo(false)
      })
      .createTable('directory_terms', (t) => {
        t.string('agent_id').notNullable().index()
        t.text('term').notNullable()
        t.integer('position').notNullable()
        t.primary(['term', 'position'])
      })
  },
  async down(schema) {
    await schema.schema.dropTable('directory_terms')
    await schema.schema.alterTable('agents', (t) => t.dropColumns('is_listed'))
  },
}
