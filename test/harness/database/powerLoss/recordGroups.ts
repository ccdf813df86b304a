import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createWalCheckpointer } from '../../../../server/store/database/walCheckpointer.sqlite.ts'
import { createWriteLock } from '../../../../server/store/database/writeLock.ts'
import { createSqliteRecorder } from '../../../../server/store/recorder/recorder.sqlite.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'

/**
 * A process of its own whose writes are logged: records groups of outcomes, and writes the identifiers of each group that
 * was answered to the file `answers`, whose place in the log says when that was.
 */
const [folder = '', groups = '0', synchronous = 'FULL'] = process.argv.slice(2)
const SIZES = { passiveBytes: 128 * 1024, restartBytes: 512 * 1024, truncateBytes: 1024 * 1024 }

if (synchronous === 'NORMAL') deceive()
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

/** The control arm: the same recorder without a sync at its commits, which it would refuse if it were told. */
function deceive(): void {
  const pragma = Database.prototype.pragma
  Database.prototype.pragma = function (source: string, options?: Database.PragmaOptions): unknown {
    if (source === 'synchronous = FULL') return pragma.call(this, 'synchronous = NORMAL', options)
    if (source === 'synchronous') return 2
    return pragma.call(this, source, options)
  }
}
