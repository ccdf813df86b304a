import { createAuditRecordStore } from '../../../server/store/audit/auditRecordStore.ts'
import type { NewAuditRecord } from '../../../server/store/audit/newAuditRecord.ts'
import { openDatabase } from '../../../server/store/database/openDatabase.ts'
import { createDatabase } from './createDatabase.ts'
import { placeRecords } from './placeRecords.ts'
import type { TestedDatabase } from './testedDatabase.ts'

export type AuditDatabase = Awaited<ReturnType<typeof openAuditDatabase>>

/** Opens a real database in its own folder; tests can append to its log and reopen it. */
export async function openAuditDatabase(kind: TestedDatabase = 'sqlite') {
  const { files, remove } = await createDatabase(kind)
  const open = async () => {
    const db = await openDatabase(files)
    return { db, records: createAuditRecordStore(db.query) }
  }
  const database = {
    ...(await open()),
    files,
    /** Appends the records in order, in one transaction, and gives them their places. */
    async append(list: readonly NewAuditRecord[]): Promise<void> {
      await database.db.transaction(async (trx) => {
        for (const record of list) await database.records.append(trx, record)
      })
      await placeRecords(files.databaseUrl)
    },
    /** Closes the files, runs `meanwhile`, and opens them again. */
    async reopen(meanwhile: () => void) {
      await database.db.close()
      meanwhile()
      Object.assign(database, await open())
    },
    async close() {
      await database.db.close()
      await remove()
    },
  }
  return database
}
