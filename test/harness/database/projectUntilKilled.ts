import { projectChunk } from '../../../server/services/projection/projectChunk.ts'
import { createSqliteProjectionStore } from '../../../server/store/feed/projectionStore.sqlite.ts'

/** Runs as a child process: projects the log to its end in small chunks, and is killed before it gets there. */
const [databaseFile = '', feedFile = ''] = process.argv.slice(2)
const store = createSqliteProjectionStore({ databaseFile, feedFile })
process.stdout.write('begun\n')
while (projectChunk(store, 7) < store.logSize());
