import type { Config } from '../../server/config.ts'
import { archiveRecords } from '../../server/services/audit/archiveRecords.ts'
import { type Archive, createArchiveStore } from '../../server/store/audit/archiveStore.ts'
import { createLogStore } from '../../server/store/audit/logStore.ts'
import { openProofStore } from '../../server/store/audit/openProofStore.ts'
import { createRecordTimes } from '../../server/store/audit/recordTimes.ts'
import { createTreeStore } from '../../server/store/audit/treeStore.ts'
import type { Db } from '../../server/store/database/database.ts'
import { openDatabase } from '../../server/store/database/openDatabase.ts'
import { requireServiceDatabase } from '../requireServiceDatabase.ts'
import { createArchiveFile } from './createArchiveFile.ts'
import { createCheckpointedWrites } from './createCheckpointedWrites.ts'

/**
 * Moves the payload of a configured service's records before a point in time into a file; servers may be running.
 *
 * @returns The archive, or null if no record is both old enough and final on chain.
 * @throws Error with a message for the operator.
 */
export async function archiveToFile(
  config: Pick<Config, 'databaseUrl' | 'databaseFile' | 'feedFile' | 'dataDir'>,
  file: string,
  range: { before: number; now: number },
  transactionOf = (db: Db): Db['transaction'] => db.transaction,
): Promise<Archive | null> {
  await requireServiceDatabase(config)
  const db = await openDatabase(config)
  const writes = createCheckpointedWrites(config, transactionOf(db))
  try {
    const proofs = openProofStore(config, db.query)
    const deps = {
      archives: createArchiveStore(db.query),
      times: createRecordTimes(db.query),
      logs: createLogStore(db.query),
      log: proofs.log,
      treeSize: (log: number) => createTreeStore(db.query, log).size(),
      catchUp: createTreeStore(db.query).size,
      transaction: writes.transaction,
      file: createArchiveFile(file),
      warn: (sentence: string) => console.warn(sentence),
    }
    try {
      return await archiveRecords(deps, range)
    } finally {
      proofs.close()
    }
  } finally {
    writes.close()
    await db.close()
  }
}
