import type { Knex } from 'knex'
import type { FeatureSet } from '../../config/featureSets.ts'
import { pollChanges } from './changes/changes.polled.ts'
import { listenToChanges } from './changes/changes.postgres.ts'
import type { ListenToChanges } from './changes/changes.ts'
import { openPresence, type Presence } from './changes/presence.postgres.ts'
import { type Commits, loggedCommits, plainCommits } from './commits.ts'
import { advisoryLocks } from './locks/locks.advisory.ts'
import { CREATE_LOCK_ROWS, rowLocks } from './locks/locks.rows.ts'
import type { Locks } from './locks/locks.ts'

export type DatabaseFeatures = {
  name: FeatureSet
  locks: Locks
  commits: Commits
  listen: ListenToChanges
  /** Shows other processes that this one runs; null where they have to wait until its leases expire. */
  openPresence: ((url: string, id: string) => Presence) | null
  /** Statements that create what the locks need. */
  preparation: readonly string[]
}

/** Chooses advisory locks, notifications and early commits, or what needs only tables. Source: docs/decisions/0112. */
export function chooseFeatures(name: FeatureSet = 'full'): DatabaseFeatures {
  if (name === 'full')
    return {
      name,
      locks: advisoryLocks,
      commits: loggedCommits,
      listen: listenToChanges,
      openPresence,
      preparation: [],
    }
  return {
    ...{ name, locks: rowLocks, commits: plainCommits, listen: pollChanges, openPresence: null },
    preparation: CREATE_LOCK_ROWS,
  }
}

/**
 * Records at the first start with which features a database is used, because processes that lock or notify in different ways
 * do not notice each other.
 *
 * @throws Error for the operator if it is used with others.
 */
export async function requireSameFeatures(query: Knex, name: FeatureSet): Promise<void> {
  await query('database_features').insert({ id: 1, features: name }).onConflict('id').ignore()
  const used = await query('database_features').where({ id: 1 }).first('features')
  if (used?.features === name) return
  throw new Error(
    `The database at DATABASE_URL is used with DATABASE_FEATURES=${used?.features}, not ${name}. To change that, stop every ` +
      `process and run: UPDATE database_features SET features = '${name}'`,
  )
}
