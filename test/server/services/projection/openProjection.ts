import { createSqliteProjectionStore } from '../../../../server/store/feed/projectionStore.sqlite.ts'
import { openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'

export type Projection = Awaited<ReturnType<typeof openProjection>>

/** Opens a database with an empty log, and the store of its projection. */
export async function openProjection() {
  const database = await openAuditDatabase()
  const store = createSqliteProjectionStore(database.files)
  return {
    database,
    store,
    rows: (table: string) => database.db.query(`feed.${table}`).select(),
    async close() {
      store.close()
      await database.close()
    },
  }
}
