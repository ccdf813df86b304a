import { join } from 'node:path'
import knex, { type Knex } from 'knex'
import { createPostgresDatabase, testsPostgres } from '../../../../harness/database/postgres.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

/** Tests a sequence of migrations on an empty database of each kind; without PostgreSQL, the second is skipped. */
export function onBothDatabases(walk: (query: Knex) => Promise<void>): void {
  it('on SQLite, forth and back', async () => {
    const folder = createTemporaryFolder()
    const connection = { filename: join(folder.path, 'svc.sqlite') }
    const query = knex({ client: 'better-sqlite3', connection, useNullAsDefault: true })
    try {
      await walk(query)
    } finally {
      await query.destroy()
      folder.remove()
    }
  })

  it('on PostgreSQL, forth and back', async function () {
    if (!testsPostgres) this.skip()
    const database = await createPostgresDatabase()
    const query = knex({ client: 'pg', connection: database.url })
    try {
      await walk(query)
    } finally {
      await query.destroy()
      await database.drop()
    }
  })
}
