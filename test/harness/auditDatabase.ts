import { join } from 'node:path'
import { createAuditRecordStore, type NewAuditRecord } from '../../server/store/auditRecordStore.ts'
import { openDatabase } from '../../server/store/database.ts'
import { temporaryFolder } from './temporaryFolder.ts'

export type AuditDatabase = Awaited<ReturnType<typeof openAuditDatabase>>

/** A real database in a folder of its own, whose log can be written to and that can be opened again. */
export async function openAuditDatabase() {
  const folder = temporaryFolder()
  const files = { databaseFile: join(folder.path, 'svc.sqlite'), feedFile: join(folder.path, 'feed.sqlite') }
  const open = async () => {
    const db = await openDatabase(files)
    return { db, records: createAuditRecordStore(db.query) }
  }
  const database = {
    ...(await open()),
    files,
    /** Appends each record in order, all in one transaction. */
    append: (list: readonly NewAuditRecord[]) =>
      database.db.transaction(async (trx) => {
        for (const record of list) await database.records.append(trx, record)
      }),
    /** Closes the files, does something to them, and opens them. */
    async reopen(meanwhile: () => void) {
      await database.db.close()
      meanwhile()
      Object.assign(database, await open())
    },
    async close() {
      await database.db.close()
      folder.remove()
    },
  }
  return database
}
