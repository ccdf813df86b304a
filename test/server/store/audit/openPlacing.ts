import pg from 'pg'
import type { FeatureSet } from '../../../../server/config/featureSets.ts'
import { commitmentOf } from '../../../../server/services/verification/recordOnly.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import type { NewAuditRecord } from '../../../../server/store/audit/newAuditRecord.ts'
import { openSequencer, type Sequencer } from '../../../../server/store/audit/sequencer.postgres.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import { buildRecord } from '../../../builders/buildRecord.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import { readPlacedRecords } from '../../../harness/database/readPlacedRecords.ts'

export type Placing = Awaited<ReturnType<typeof openPlacing>>

/** Opens a PostgreSQL with two recorders, and sequencers that give their records places in the log. */
export async function openPlacing(featureSet: FeatureSet) {
  const { locks } = chooseFeatures(featureSet)
  const temporary = await openTemporaryDatabase('postgres', featureSet)
  const url = temporary.files.databaseUrl ?? ''
  const recorders = [temporary.openRecorder(), temporary.openRecorder()]
  const sequencers: Sequencer[] = []

  const open = (chunkMax?: number): Sequencer => {
    const sequencer = openSequencer(url, { ...(chunkMax ? { chunkMax } : {}), locks })
    sequencers.push(sequencer)
    return sequencer
  }
  const append = (record: NewAuditRecord) =>
    temporary.db.transaction((trx) => createAuditRecordStore(temporary.db.query).append(trx, record))
  async function record(nth = 0, own = [buildRecord()]): Promise<string[]> {
    await recorders[nth % 2]?.record({
      counters: null,
      approval: null,
      decide: () => commitmentOf(own, null),
    })
    return own.map(({ recordId }) => recordId)
  }
  const log = () => readPlacedRecords(temporary.db)
  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return client
  }

  return {
    ...{ db: temporary.db, url, locks, takeLock: locks.exclusive('log') },
    ...{ open, append, record, log, connect },
    async close() {
      await Promise.all([...recorders, ...sequencers].map((each) => each.close()))
      await temporary.remove()
    },
  }
}
