import { expect } from 'chai'
import type { Knex } from 'knex'
import { openPostgresPool } from '../../../../../server/store/database/connections/openPostgresPool.ts'
import {
  openReconnectingClient,
  type ReconnectingClient,
} from '../../../../../server/store/database/connections/reconnectingClient.postgres.ts'
import { openPostgresDatabase } from '../../../../../server/store/database/database.postgres.ts'
import {
  createPostgresDatabase,
  type PostgresDatabase,
  testsPostgres,
} from '../../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

/** What makes a session fail with a state, and the statement that then fails on this session only. */
const LASTING = {
  '25006': { spoil: ['SET default_transaction_read_only = on'], text: 'INSERT INTO things VALUES (1)' },
  '0A000': { spoil: ['ALTER TABLE things ADD COLUMN other int'], text: 'SELECT * FROM things' },
  '26000': { spoil: ['DEALLOCATE ALL'], text: 'SELECT 1 FROM things' },
}
const PID = 'SELECT pg_backend_pid() AS pid'

describe('a session that keeps failing', () => {
  let database: PostgresDatabase

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createPostgresDatabase()
  })
  beforeEach(async () => {
    for (const sql of ['DROP TABLE IF EXISTS things', 'CREATE TABLE things (id int)'])
      await queryPostgres(database.url, sql)
  })
  after(() => database?.drop())

  const codeOf = (work: Promise<unknown>) => work.then(String, ({ code }) => code)

  describe('of a connection of its own', () => {
    let connection: ReconnectingClient
    beforeEach(() => {
      connection = openReconnectingClient(database.url, { name: 'test' })
    })
    afterEach(() => connection.close())

    for (const [code, { spoil, text }] of Object.entries(LASTING)) {
      for (const isRolledBack of [true, false]) {
        it(`with ${code} is replaced, ${isRolledBack ? 'instead of being' : 'without having to be'} rolled back`, async () => {
          const statement = { name: 'repeated', text }
          const client = await connection.connect()
          await client.query(statement)
          for (const sql of spoil) await client.query(sql)
          expect(await codeOf(client.query(statement))).to.equal(code)
          if (isRolledBack) await connection.rollBack(client)
          const next = await connection.connect()
          expect(next).to.not.equal(client)
          await next.query(statement)
          expect(await connection.connect()).to.equal(next)
        })
      }
    }

    it('is not one that refused a single statement', async () => {
      const client = await connection.connect()
      await client.query('BEGIN')
      expect(await codeOf(client.query('SELECT 1 FROM missing'))).to.equal('42P01')
      await connection.rollBack(client)
      expect(await connection.connect()).to.equal(client)
    })
  })

  describe('of a pool', () => {
    let pool: Knex
    beforeEach(() => {
      pool = openPostgresPool(database.url, { name: 'test' }, { pool: { min: 0, max: 1 } })
    })
    afterEach(() => pool.destroy())

    const pidOf = async (query: Knex) => (await query.raw(PID)).rows[0].pid

    for (const isInTransaction of [true, false]) {
      it(`is replaced after a write ${isInTransaction ? 'in' : 'outside'} a transaction`, async () => {
        const before = await pidOf(pool)
        await pool.raw('SET default_transaction_read_only = on')
        const write = (query: Knex) => query('things').insert({ id: 1 })
        expect(await codeOf(isInTransaction ? pool.transaction(write) : write(pool))).to.equal('25006')
        await write(pool)
        expect(await pidOf(pool)).to.not.equal(before)
      })
    }

    it('is not one that refused a single statement', async () => {
      const before = await pidOf(pool)
      expect(await codeOf(pool.raw('SELECT 1 FROM missing'))).to.equal('42P01')
      expect(await pidOf(pool)).to.equal(before)
    })
  })

  it('of use cases is replaced before it refuses a write, once it has been read-only for a second', async () => {
    const db = await openPostgresDatabase(database.url)
    const alter = (change: string) =>
      queryPostgres(
        new URL('/postgres', database.url).href,
        `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} ${change}`,
      )
    try {
      await db.requireWritable()
      await alter('SET default_transaction_read_only = on')
      await queryPostgres(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'svc-use-cases'`,
      )
      await waitUntil(async () => ((await codeOf(db.requireWritable())) === '25006' ? true : null))
      await alter('RESET default_transaction_read_only')
      // Only the check reads meanwhile, and no write fails.
      await waitUntil(async () => ((await codeOf(db.requireWritable())) === '25006' ? null : true))
      await db.query('things').insert({ id: 1 })
    } finally {
      await db.close()
    }
  })

  it('of use cases fails the next check, also if that finds another session', async () => {
    const db = await openPostgresDatabase(database.url)
    try {
      await db.requireWritable()
      const refused = db.transaction(async (trx) => {
        await trx.raw('SET TRANSACTION READ ONLY')
        await trx('things').insert({ id: 1 })
      })
      expect(await codeOf(refused)).to.equal('SERVICE_UNAVAILABLE')
      expect(await codeOf(db.requireWritable())).to.equal('25006')
      await db.requireWritable()
    } finally {
      await db.close()
    }
  })
})
