import { projectChunk } from '../../../server/services/projection/projectChunk.ts'
import { createSqliteProjectionStore } from '../../../server/store/feed/projectionStore.sqlite.ts'

/** A process of its own that projects in small steps until its log is at an end, to be killed before that. */
const [databaseFile = '', feedFile = ''] = process.argv.slice(2)
const store = createSqliteProjectionStore({ databaseFile, feedFile })
process.stdout.write('begun\n')
while (projectChunk(store, 7) < store.logSize());
