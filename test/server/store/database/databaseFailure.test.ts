import Database from 'better-sqlite3'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { createLogger } from '../../../../server/external/telemetry/logger.ts'
import type { Route } from '../../../../server/middleware/serve.ts'
import { createRoundsWorker } from '../../../../server/workers/roundsWorker.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Served, serveRoutes } from '../../../harness/service/serveRoutes.ts'

const SECRET = 'canarysecret'
const USER = { id: 'u', developer_id: SECRET, account_type: 'x', created_at: 1 }

type Insert = (query: Knex) => Promise<unknown>

/** A value of another type, and a row that lacks one; PostgreSQL quotes both. */
const REFUSED: Record<string, Insert> =
  testedDatabase === 'postgres'
    ? {
        'a text for a number': (query) => query('users').insert({ ...USER, created_at: SECRET }),
        'a row without a member': (query) => query('users').insert({ ...USER, account_type: null }),
        'a row that is there': async (query) => {
          await query('users').insert({ ...USER, id: SECRET })
          await query('users').insert({ ...USER, id: SECRET })
        },
      }
    : { 'a row without a member': (query) => query('users').insert({ ...USER, account_type: null }) }

describe('a failing statement', () => {
  let database: TemporaryDatabase
  let served: Served
  let lines: string[] = []
  let insert: Insert
  const log = createLogger({ level: 'debug' }, { write: (line) => lines.push(line) })
  const routeOf = (path: string, work: () => Promise<unknown>): Route => ({
    method: 'POST',
    path,
    access: 'anyone',
    budget: 'public',
    handler: async () => ({ body: { success: true, done: Boolean(await work()) } }),
  })

  before(async () => {
    database = await openTemporaryDatabase()
    const { db } = database
    const paths = [
      routeOf('/api/query', () => insert(db.query)),
      routeOf('/api/transaction', () => db.transaction((trx) => insert(trx))),
    ]
    served = await serveRoutes(paths, { log })
  })
  after(async () => {
    await served?.stop()
    await database?.remove()
  })
  beforeEach(() => {
    lines = []
  })

  async function expectSilent(given: Insert, status: number): Promise<Response[]> {
    insert = given
    const answers = []
    for (const path of ['/api/query', '/api/transaction']) {
      const answer = await fetch(served.url + path, { method: 'POST' })
      expect(answer.status, path).to.equal(status)
      expect(await answer.text()).to.not.include(SECRET)
      answers.push(answer)
    }
    expect(lines.join('')).to.include('insert into').and.not.include(SECRET)
    return answers
  }

  for (const [what, given] of Object.entries(REFUSED)) {
    it(`keeps its values out of log and response: ${what}`, async () => {
      await expectSilent(given, 500)
    })
  }

  it('keeps its values out of a loop’s log messages', async () => {
    const [given] = Object.values(REFUSED)
    const round = async () => {
      await given?.(database.db.query)
      return 0
    }
    const worker = createRoundsWorker({ failing: 'it fails', round, pauseMs: 60_000, log })
    worker.start()
    const sentence = await waitUntil(async () => worker.failure())
    await worker.stop()
    expect(sentence).to.include('it fails: insert into').and.not.include(SECRET)
    expect(lines.join('')).to.include(sentence.slice(0, 20)).and.not.include(SECRET)
  })

  if (testedDatabase === 'sqlite') {
    const expectToAskAgain = async (given: Insert, cause: string) => {
      for (const answer of await expectSilent(given, 503)) {
        expect(answer.headers.get('retry-after')).to.match(/^\d+$/)
      }
      expect(lines.join('')).to.include(cause)
    }

    it('is a 503 with Retry-After while another process writes', async () => {
      const other = new Database(database.files.databaseFile)
      other.exec('BEGIN IMMEDIATE')
      try {
        await expectToAskAgain((query) => query('users').insert(USER), 'database is locked')
      } finally {
        other.close()
      }
    })

    it('is a 503 with Retry-After while the disk is full, and succeeds afterwards', async () => {
      const { query } = database.db
      const limit = (pages: number) => query.raw(`PRAGMA max_page_count = ${pages}`)
      const large = { ...USER, developer_id: SECRET.repeat(100_000) }
      await limit(1)
      await expectToAskAgain((query) => query('users').insert(large), 'disk is full')
      await limit(0xfffffffe)
      insert = (query) => query('users').insert(large)
      expect((await fetch(`${served.url}/api/transaction`, { method: 'POST' })).status).to.equal(200)
    })
  }

  it('of a PostgreSQL that became read-only, such as a standby, makes the caller retry', async function () {
    if (testedDatabase !== 'postgres') this.skip()
    const [refused] = await Promise.allSettled([
      database.db.transaction(async (trx) => {
        await trx.raw('SET TRANSACTION READ ONLY')
        await trx('users').insert(USER)
      }),
    ])
    expect(refused).to.have.nested.property('reason.code', 'SERVICE_UNAVAILABLE')
  })
})
