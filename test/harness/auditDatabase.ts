import { join } from 'node:path'
import { createAuditRecordStore, type NewAuditRecord } from '../../server/store/auditRecordStore.ts'
import { openDatabase } from '../../server/store/database.ts'
import { temporaryFolder } from './temporaryFolder.ts'

export type AuditDatabase = Awaited<ReturnType<typeof openAuditDatabase>>

/** A real database in a folder of its own, whose log can be written to. */
export async function openAuditDatabase() {
  const folder = temporaryFolder()
  const files = { databaseFile: join(folder.path, 'svc.sqlite'), feedFile: join(folder.path, 'feed.sqlite') }
  const db = await openDatabase(files)
  const records = createAuditRecordStore(db.query)
  return {
    db,
    files,
    records,
    /** Appends each record in order, all in one transaction. */
    append: (list: readonly NewAuditRecord[]) =>
      db.transaction(async (trx) => {
        for (const record of list) await records.append(trx, record)
      }),
    async close() {
      await db.close()
      folder.remove()
    },
  }
}
