import type { Logger } from '../external/logger.ts'
import { eraseAccounts } from '../services/erasure/eraseAccounts.ts'
import type { Db } from '../store/database/database.ts'
import { createErasureStore } from '../store/personal/erasureStore.ts'
import { createPersonalRecordStore } from '../store/personal/personalRecordStore.ts'
import { createPersonalStore } from '../store/personal/personalStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import type { ComposedAccounts } from './composeAccounts.ts'
import type { ComposedRegistry } from './composeRegistry.ts'

export type ComposeErasureDeps = {
  db: Db
  accounts: Pick<ComposedAccounts, 'parts' | 'caches'>
  registry: Pick<ComposedRegistry, 'parts'>
  /** Resolves once everything committed before the call is in the feed. */
  catchUp(): Promise<unknown>
  clock: () => number
  log: Pick<Logger, 'error'>
}

/** Maximum delay of an erasure after its days of grace. */
const PAUSE_MS = 60_000

/** Composes the worker that erases accounts after their days of grace, which any number of processes may run. */
export function composeErasure({ db, accounts, registry, catchUp, clock, log }: ComposeErasureDeps) {
  const personal = createPersonalStore(db.query)
  const deps = {
    ...{ db, personal, catchUp },
    erasures: createErasureStore(db.query),
    identity: { ...accounts.parts, caches: accounts.caches, personal },
    property: { ...registry.parts, personal },
    records: { db, personalRecords: createPersonalRecordStore(db.query) },
  }
  return createRoundsWorker({
    failing: 'accounts cannot be erased',
    round: () => eraseAccounts(deps, clock()),
    pauseMs: PAUSE_MS,
    log,
  })
}
