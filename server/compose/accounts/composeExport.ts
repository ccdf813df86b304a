import type { Logger } from '../../external/telemetry/logger.ts'
import { zipFiles } from '../../external/zipFiles.ts'
import type { ListActivityDeps } from '../../services/activity/listActivity.ts'
import { prepareExport } from '../../services/export/prepareExport.ts'
import type { Db } from '../../store/database/database.ts'
import { createPersonalRowStore } from '../../store/personal/personalRowStore.ts'
import { createPersonalStore } from '../../store/personal/personalStore.ts'
import { createRoundsWorker } from '../../workers/roundsWorker.ts'
import type { ComposedAccounts } from './composeAccounts.ts'

export type ComposeExportDeps = {
  db: Db
  accounts: Pick<ComposedAccounts, 'parts'>
  activity: ListActivityDeps
  clock: () => number
  log: Pick<Logger, 'error'>
}

/** Maximum delay of an export that was requested from another process. */
const PAUSE_MS = 10_000

/** Composes the worker that prepares exports of people's data, which any number of processes may run. */
export function composeExport({ db, accounts, activity, clock, log }: ComposeExportDeps) {
  const personal = createPersonalStore(db.query)
  const files = { personalRows: createPersonalRowStore(db.query), activity }
  const deps = { ...accounts.parts, db, personal, files, zip: zipFiles, clock }
  return createRoundsWorker({
    failing: 'exports of people’s data cannot be prepared',
    round: () => prepareExport(deps),
    pauseMs: PAUSE_MS,
    log,
  })
}
