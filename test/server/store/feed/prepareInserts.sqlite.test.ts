import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { prepareInserts } from '../../../../server/store/feed/prepareInserts.sqlite.ts'

describe('inserts of many rows', () => {
  let database: Sqlite.Database

  beforeEach(() => {
    database = new Sqlite(':memory:')
    database.exec('CREATE TABLE numbers (number INTEGER PRIMARY KEY, name TEXT)')
  })
  afterEach(() => void database.close())

  const rowsUpTo = (count: number) => Array.from({ length: count }, (_, at) => [at, at % 3 ? `n${at}` : null])
  const stored = () => database.prepare('SELECT number, name FROM numbers ORDER BY number').raw().all()

  for (const count of [0, 1, 15, 16, 17, 50])
    it(`store each of ${count} rows once`, () => {
      prepareInserts(database, 'numbers', ['number', 'name'])(rowsUpTo(count))
      expect(stored()).to.deep.equal(rowsUpTo(count))
    })

  it('roll back the transaction when a row cannot be stored', () => {
    const insert = prepareInserts(database, 'numbers', ['number', 'name'])
    const add = database.transaction(() => {
      insert(rowsUpTo(20))
      insert([...rowsUpTo(40).slice(20), [7, 'again']])
    })
    expect(add).to.throw('UNIQUE constraint failed')
    expect(stored()).to.deep.equal([])
  })
})
