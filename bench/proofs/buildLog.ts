import { projectChunk } from '../../server/services/projection/projectChunk.ts'
import { createWriteLock } from '../../server/store/database/locks/writeLock.ts'
import { createWalCheckpointer } from '../../server/store/database/wal/walCheckpointer.sqlite.ts'
import { createSqliteProjectionStore } from '../../server/store/feed/projectionStore.sqlite.ts'
import { createSqliteRecorder } from '../../server/store/recorder/recorder.sqlite.ts'
import { proofRecord } from './proofRecord.ts'

/** Records per commit, more than in a group of the recorder under load, to fill the log faster. */
const AT_ONCE = 5_000

export type LogFiles = { databaseFile: string; feedFile: string }

/**
 * Fills a migrated, empty database with a log of `size` records, written by the recorder and followed by the projection, as
 * in the service.
 */
export async function buildLog(
  files: LogFiles,
  size: number,
  logProgress: (what: string) => void,
): Promise<void> {
  const recorder = createSqliteRecorder(files.databaseFile, createWriteLock())
  const projection = createSqliteProjectionStore(files)
  const checkpointers = [files.databaseFile, files.feedFile].map((file) => createWalCheckpointer(file))
  for (let from = 0; from < size; from += AT_ONCE) {
    const records = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, i) => proofRecord(from + i))
    await recorder.record({
      counters: null,
      approval: null,
      decide: () => ({
        ...{ records, grants: [], spend: null, subAgent: null, newApproval: null },
        consumedApprovalId: null,
        result: null,
      }),
    })
    while (projectChunk(projection) < projection.logSize());
    for (const { run } of checkpointers) run()
    if (from % 100_000 === 0)
      logProgress(`${from.toLocaleString('en')} records of ${size.toLocaleString('en')}`)
  }
  for (const { close } of [...checkpointers, projection]) close()
  await recorder.close()
}
