import type { Config } from '../../config.ts'
import type { Logger } from '../../external/telemetry/logger.ts'
import { eraseAccounts } from '../../services/erasure/eraseAccounts.ts'
import type { Db } from '../../store/database/database.ts'
import { createErasureStore } from '../../store/personal/erasureStore.ts'
import { createPersonalRecordStore } from '../../store/personal/personalRecordStore.ts'
import { createPersonalStore } from '../../store/personal/personalStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import type { ComposedRegistry } from '../composeRegistry.ts'
import type { ComposedAccounts } from './composeAccounts.ts'
import { composeMailErasure } from './composeMailErasure.ts'

export type ComposeErasureDeps = {
  db: Db
  config: Pick<Config, 'mail'>
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
export function composeErasure(deps: ComposeErasureDeps) {
  const { db, config, accounts, registry, catchUp, clock, log } = deps
  const mails = composeMailErasure({ folder: config.mail.folder, clock, log })
  const personal = createPersonalStore(db.query)
  const parts = {
    ...{ db, personal, catchUp },
    erasures: createErasureStore(db.query),
    identity: {
      ...accounts.parts,
      caches: accounts.caches,
      personal,
      onAddressErased: mails.onAddressErased,
    },
    property: { ...registry.parts, personal },
    records: { db, personalRecords: createPersonalRecordStore(db.query) },
  }
  const erasures = createRoundsWorker({
    failing: 'accounts cannot be erased',
    round: () => eraseAccounts(parts, clock()),
    pauseMs: PAUSE_MS,
    log,
  })
  return {
    start() {
      erasures.start()
      mails.start()
    },
    async stop() {
      await erasures.stop()
      await mails.stop()
    },
  }
}
