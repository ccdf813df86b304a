import { openDatabase } from '../../../server/store/database/openDatabase.ts'

/** Runs as a child process: migrates a database to this version, and is killed before it has finished. */
const [databaseFile = '', feedFile = '', databaseUrl = ''] = process.argv.slice(2)
process.stdout.write('begun\n')
const db = await openDatabase({
  databaseFile,
  feedFile,
  databaseUrl: databaseUrl === '' ? undefined : databaseUrl,
})
await db.close()
