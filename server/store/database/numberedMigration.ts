import type { Knex } from 'knex'

/** One step of a schema's history; knex runs each once, in its own transaction. */
export type NumberedMigration = {
  name: string
  up(schema: Knex): Promise<void>
  down(schema: Knex): Promise<void>
}
