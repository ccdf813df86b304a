import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { cacheStatements } from '../../../../server/store/database/cacheStatements.sqlite.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

describe('cached statements', () => {
  const folder = createTemporaryFolder()
  const file = join(folder.path, 'svc.sqlite')
  let connection: Database.Database
  beforeEach(() => {
    connection = new Database(file)
    connection.exec('CREATE TABLE IF NOT EXISTS things (name TEXT)')
    cacheStatements(connection)
  })
  afterEach(() => connection.close())
  after(() => folder.remove())

  it('are reused for the same text, and for no other', () => {
    const statement = connection.prepare('SELECT name FROM things')
    expect(connection.prepare('SELECT name FROM things')).to.equal(statement)
    expect(connection.prepare('SELECT name  FROM things')).to.not.equal(statement)
  })

  it('are those of the last 512 texts', () => {
    const at = (limit: number) => connection.prepare(`SELECT name FROM things LIMIT ${limit}`)
    const [oldest, used] = [at(0), at(1)]
    for (let limit = 2; limit < 512; limit += 1) at(limit)
    expect(at(1)).to.equal(used)
    at(512)
    expect(at(1)).to.equal(used)
    expect(at(0)).to.not.equal(oldest)
  })

  it('see changes by another connection to their table', () => {
    const text = 'SELECT * FROM things'
    connection.prepare("INSERT INTO things VALUES ('one')").run()
    expect(connection.prepare(text).all()).to.deep.equal([{ name: 'one' }])
    const other = new Database(file)
    other.exec('ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 3')
    other.close()
    expect(connection.prepare(text).all()).to.deep.equal([{ name: 'one', size: 3 }])
  })

  it('still reject a text that is not a statement', () => {
    expect(() => connection.prepare('SELECT name FROM nowhere')).to.throw('no such table')
    expect(() => connection.prepare('SELECT name FROM nowhere')).to.throw('no such table')
  })
})
