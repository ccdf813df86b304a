import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createWriteLock } from '../../../../server/store/database/locks/writeLock.ts'
import { createWalCheckpointer } from '../../../../server/store/database/wal/walCheckpointer.sqlite.ts'
import { createSqliteRecorder } from '../../../../server/store/recorder/recorder.sqlite.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'

/**
 * Runs as a child process whose writes are logged: records groups of outcomes, and appends the identifiers of each
 * acknowledged group to the file `answers`, whose position in the log shows when it was acknowledged. The control
 * answers without a sync.
 */
const [folder = '', groups = '0', syncs = 'synced'] = process.argv.slice(2)
const SIZES = { passiveBytes: 128 * 1024, restartBytes: 512 * 1024, truncateBytes: 1024 * 1024 }

const databaseFile = join(folder, 'svc.sqlite')
const recorder = createSqliteRecorder(
  databaseFile,
  createWriteLock(),
  syncs === 'synced'
    ? {}
    : { openSyncs: () => ({ sync: async () => undefined, close: async () => undefined }) },
)
const checkpointer = createWalCheckpointer(databaseFile, SIZES)
for (let group = 0; group < Number(groups); group += 1) {
  const ids = await Promise.all(
    Array.from({ length: 1 + (group % 5) }, () => {
      const record = buildRecord()
      return recorder.record({
        counters: null,
        approval: null,
        decide: () => commitmentOf([record], record.recordId),
      })
    }),
  )
  appendFileSync(join(folder, 'answers'), `${ids.join('\n')}\n`)
  if (group % 8 === 7) checkpointer.run()
}
checkpointer.close()
await recorder.close()
