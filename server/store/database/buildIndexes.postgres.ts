import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Knex } from 'knex'
import { codeOf } from './codeOf.ts'
import { type AddedIndex, definitionOf, readIndexState } from './createIndexes.ts'

/** How long PostgreSQL may take for an index, and wait for transactions that are older than it, such as a backup. */
export const BUILD_MS = 24 * 3_600_000

const POLL_MS = 500

/** SQLSTATEs of a build that met another one: deadlock, and the name is taken. */
const MET_ANOTHER = /^(40P01|42P07)$/

/**
 * Builds indexes while other processes write to their tables, and therefore in no transaction.
 *
 * PostgreSQL continues a build whose client was killed, so one that is in progress is waited for. What an interrupted one
 * left behind is invalid: it is dropped and built again. No lock of ours is held, because a build waits for every
 * transaction that is older, and so for a process that waits for such a lock.
 *
 * @param query Connections that may wait for `BUILD_MS`.
 * Source: PostgreSQL 15, CREATE INDEX, "Building Indexes Concurrently".
 */
export async function buildIndexes(query: Knex, indexes: readonly AddedIndex[]): Promise<void> {
  for (const index of indexes) {
    while (!(await advance(query, index))) await pauseFor(POLL_MS)
  }
}

/** Does what is next for an index; true if it is complete. */
async function advance(query: Knex, index: AddedIndex): Promise<boolean> {
  const state = await readIndexState(query, index.name)
  if (state === 'valid') return true
  try {
    if (state === 'missing') await query.raw(`CREATE INDEX CONCURRENTLY ${definitionOf(query, index)}`)
    else if (!(await isBeingBuilt(query, index.name)))
      await query.raw('DROP INDEX CONCURRENTLY IF EXISTS ??', [index.name])
  } catch (error) {
    if (!MET_ANOTHER.test(codeOf(error))) throw error
  }
  return false
}

async function isBeingBuilt(query: Knex, name: string): Promise<boolean> {
  const { rows } = await query.raw(
    'SELECT 1 FROM pg_stat_progress_create_index WHERE index_relid = to_regclass(?)',
    [name],
  )
  return rows.length > 0
}
