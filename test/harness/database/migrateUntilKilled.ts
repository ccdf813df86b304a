import { openDatabase } from '../../../server/store/database/openDatabase.ts'

/** A process of its own that brings a database to this version, to be killed before it has. */
const [databaseFile = '', feedFile = '', databaseUrl = ''] = process.argv.slice(2)
process.stdout.write('begun\n')
const db = await openDatabase({
  databaseFile,
  feedFile,
  databaseUrl: databaseUrl === '' ? undefined : databaseUrl,
})
await db.close()
