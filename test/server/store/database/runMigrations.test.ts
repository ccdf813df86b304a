import { expect } from 'chai'
import { openDatabase } from '../../../../server/store/database/openDatabase.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'

describe('a database that a newer release migrated', () => {
  it('is refused with the names of the unknown migrations, and left as it is', async () => {
    const newer = await openTemporaryDatabase()
    try {
      await newer.db.query('knex_migrations').insert({ name: '9999_later', batch: 99 })
      const message = await openDatabase(newer.files).then(
        () => 'opened',
        (error: Error) => error.message,
      )
      expect(message).to.match(
        /^(\/\S+svc\.sqlite|Schema public of the database at DATABASE_URL) was migrated by a newer release/,
      )
      expect(message).to.contain('(9999_later): start that release, or restore a backup from before it')
      expect(await newer.db.query('knex_migrations').where({ name: '9999_later' })).to.have.length(1)
    } finally {
      await newer.remove()
    }
  })
})
