import type { Knex } from 'knex'
import { isPostgres } from './knexSettings.ts'

/** An index that a migration adds to a table which is in use. */
export type AddedIndex = {
  name: string
  table: string
  /** The columns in parentheses, and perhaps a condition. */
  on: string
  /** The same for PostgreSQL, where it differs. */
  onPostgres?: string
}

/**
 * Creates the indexes of a migration in its transaction, except those that `buildIndexes` has built before, while requests
 * went on.
 */
export async function createIndexes(schema: Knex, indexes: readonly AddedIndex[]): Promise<void> {
  for (const index of indexes) {
    const state = isPostgres(schema) ? await readIndexState(schema, index.name) : 'missing'
    if (state === 'valid') continue
    if (state === 'invalid') await schema.raw('DROP INDEX ??', [index.name])
    await schema.raw(`CREATE INDEX ${definitionOf(schema, index)}`)
  }
}

/** Drops the indexes of a migration that is undone. */
export async function dropIndexes(schema: Knex, indexes: readonly AddedIndex[]): Promise<void> {
  for (const { name } of indexes) await schema.raw('DROP INDEX ??', [name])
}

/** The part of a statement that says which index is created. */
export function definitionOf(query: Knex, { name, table, on, onPostgres = on }: AddedIndex): string {
  return `${name} ON ${table} ${isPostgres(query) ? onPostgres : on}`
}

/** Whether an index of PostgreSQL is complete; `invalid` while it is built concurrently, and if that was interrupted. */
export async function readIndexState(query: Knex, name: string): Promise<'missing' | 'valid' | 'invalid'> {
  const { rows } = await query.raw(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(?)',
    [name],
  )
  if (rows.length === 0) return 'missing'
  return rows[0].valid ? 'valid' : 'invalid'
}
