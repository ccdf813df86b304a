import type { FeatureSet } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import type { RecordIntent } from '../../../../server/store/recorder/recorder.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'

export const NOW = Date.UTC(2026, 0, 5)
export const AGENT = 'SVC-0000000000000000000001'

/** Records one event and returns a result. */
export function plain<Result>(result: Result): RecordIntent<Result> {
  return { counters: null, approval: null, decide: () => commitmentOf([buildRecord()], result) }
}

/** The numbers from 0 on. */
export const places = (count: number) => Array.from({ length: count }, (_, n) => n)

export type Recorders = Awaited<ReturnType<typeof openRecorders>>

/** Opens a PostgreSQL with the recorders of two processes. */
export async function openRecorders(featureSet: FeatureSet) {
  const temporary = await openTemporaryDatabase('postgres', featureSet)
  const recorders = [temporary.openRecorder(), temporary.openRecorder()]
  return {
    db: temporary.db,
    url: temporary.files.databaseUrl ?? '',
    record<Result>(intent: RecordIntent<Result>, nth = 0): Promise<Result> {
      const recorder = recorders[nth % 2]
      if (!recorder) throw new Error('there are two')
      return recorder.record(intent)
    },
    async close() {
      await Promise.all(recorders.map((recorder) => recorder.close()))
      await temporary.remove()
    },
  }
}
