import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createWalCheckpointer } from '../../../../server/store/database/walCheckpointer.sqlite.ts'
import { createWriteLock } from '../../../../server/store/database/writeLock.ts'
import { createSqliteRecorder } from '../../../../server/store/recorder/recorder.sqlite.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'

/**
 * Runs as a child process whose writes are logged: records groups of outcomes, and appends the identifiers of each
 * acknowledged group to the file `answers`, whose position in the log shows when it was acknowledged.
 */
const [folder = '', groups = '0', synchronous = 'FULL'] = process.argv.slice(2)
const SIZES = { passiveBytes: 128 * 1024, restartBytes: 512 * 1024, truncateBytes: 1024 * 1024 }

if (synchronous === 'NORMAL') skipCommitSyncs()
const databaseFile = join(folder, 'svc.sqlite')
const recorder = createSqliteRecorder(databaseFile, createWriteLock())
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

/** The control: the same recorder without a sync at its commits, a setting that it would refuse if it could see it. */
function skipCommitSyncs(): void {
  const pragma = Database.prototype.pragma
  Database.prototype.pragma = function (source: string, options?: Database.PragmaOptions): unknown {
    if (source === 'synchronous = FULL') return pragma.call(this, 'synchronous = NORMAL', options)
    if (source === 'synchronous') return 2
    return pragma.call(this, source, options)
  }
}
