import Database from 'better-sqlite3'
import { expect } from 'chai'
import { openSqliteDatabase, type SqliteDb } from '../../../../../server/store/database/database.sqlite.ts'
import { createDatabase } from '../../../../harness/database/createDatabase.ts'

describe('a statement while another program writes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let db: SqliteDb
  let other: Database.Database

  beforeEach(async () => {
    database = await createDatabase('sqlite')
    db = await openSqliteDatabase(database.files)
    other = new Database(database.files.databaseFile)
    other.exec('BEGIN IMMEDIATE')
  })
  afterEach(async () => {
    other.close()
    await db.close()
    await database.remove()
  })

  const lease = (name: string) => ({ name, holder: 'x', expires_at: 0 })
  const insert = (name: string) => db.transaction((trx) => trx('leases').insert(lease(name)))
  const names = () => db.query('leases').orderBy('name').pluck('name')

  it('waits without blocking the process, and is executed once the other has ended', async () => {
    const [inTransaction, single] = [insert('a'), db.query('leases').insert(lease('b'))]
    // Ended by a timer of this process, which would not fire during a synchronous wait.
    setTimeout(() => other.exec('ROLLBACK'), 300)
    await Promise.all([inTransaction, single])
    expect(await names()).to.deep.equal(['a', 'b'])
  })

  it('is refused after a bounded wait, without effect', async () => {
    const refused = await insert('a').catch((error: unknown) => error)
    expect(refused).to.deep.include({ code: 'SERVICE_UNAVAILABLE', status: 503 })
    expect(other.inTransaction).to.equal(true)
    other.exec('ROLLBACK')
    expect(await names()).to.deep.equal([])
    await insert('b')
    expect(await names()).to.deep.equal(['b'])
  })

  it('is reported as refused until one that writes succeeds, whatever is read', async () => {
    expect(db.writeLock.isRefused()).to.equal(false)
    await insert('a').catch(() => undefined)
    expect(await names()).to.deep.equal([])
    expect(db.writeLock.isRefused()).to.equal(true)
    other.exec('ROLLBACK')
    await insert('a')
    expect(db.writeLock.isRefused()).to.equal(false)
  })

  it('fails at once if its transaction has read a state that the other has changed', async () => {
    const failed = db.transaction(async (trx) => {
      await trx('leases').select('name')
      other.prepare('INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ?)').run('other', 'x', 0)
      other.exec('COMMIT')
      await trx('leases').insert(lease('a'))
    })
    const error = await failed.catch((refused: unknown) => refused)
    expect(error).to.deep.include({ code: 'SERVICE_UNAVAILABLE' })
    expect(await names()).to.deep.equal(['other'])
  })
})
