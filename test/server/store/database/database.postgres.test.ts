import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { FEATURE_SETS, type FeatureSet } from '../../../../server/config/featureSets.ts'
import { openPostgresDatabase } from '../../../../server/store/database/database.postgres.ts'
import type { Db } from '../../../../server/store/database/database.ts'
import { chooseFeatures } from '../../../../server/store/database/databaseFeatures.ts'
import type { LockName } from '../../../../server/store/database/locks/lockName.ts'
import {
  createMigratedDatabase,
  createPostgresDatabase,
  testsPostgres,
} from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

/** Forwards connections until the open ones silently stop carrying data. */
async function openSilenceable(url: string) {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => undefined)
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(url)
  Object.assign(through, { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) })
  return {
    url: through.href,
    silence() {
      for (const socket of open) socket.unpipe().pause()
    },
    stop() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('openPostgresDatabase', () => {
  before(function () {
    if (!testsPostgres) this.skip()
  })

  it('migrates once if several processes start together, and never truncates a long text', async () => {
    const { url, drop } = await createPostgresDatabase()
    const features = chooseFeatures('portable')
    const opened = await Promise.all([1, 2, 3].map(() => openPostgresDatabase(url, { features })))
    const [{ query } = { query: null }] = opened
    const name = 'n'.repeat(2_000)
    const user = { id: 'u', developer_id: name, account_type: 'x', created_at: Number.MAX_SAFE_INTEGER }
    await query?.('users').insert(user)
    expect(await query?.('users').first('developer_id', 'created_at')).to.deep.equal({
      developer_id: name,
      created_at: Number.MAX_SAFE_INTEGER,
    })
    await Promise.all(opened.map(({ close }) => close()))
    await drop()
  })

  it('runs transactions without names one at a time, whatever the process', async () => {
    const { url, drop } = await createPostgresDatabase()
    const opened = await Promise.all([1, 2].map(() => openPostgresDatabase(url)))
    await opened[0]?.query('leases').insert({ name: 'counter', holder: '0', expires_at: 0 })
    const count = (_: unknown, nth: number) =>
      opened[nth % 2]?.transaction(async (trx) => {
        const { holder } = await trx('leases').first('holder')
        await trx('leases').update({ holder: String(Number(holder) + 1) })
      })
    await Promise.all(Array.from({ length: 60 }, count))
    expect((await opened[0]?.query('leases').first('holder'))?.holder).to.equal('60')
    await Promise.all(opened.map(({ close }) => close()))
    await drop()
  })

  it('makes the caller retry while connections are refused, and not if a statement is', async () => {
    const { url, drop } = await createMigratedDatabase()
    const name = new URL(url).pathname.slice(1)
    const administer = (sql: string) => queryPostgres(new URL('/postgres', url).href, sql)
    await administer(`CREATE ROLE ${name} SUPERUSER LOGIN`)
    const db = await openPostgresDatabase(Object.assign(new URL(url), { username: name }).href)
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`
    for (const [state, refuse, admit] of [
      ['28000', `ALTER ROLE ${name} NOLOGIN`, `ALTER ROLE ${name} LOGIN`],
      [
        '55000',
        `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
        `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`,
      ],
      [
        '3D000',
        `ALTER DATABASE ${name} RENAME TO ${name}_away`,
        `ALTER DATABASE ${name}_away RENAME TO ${name}`,
      ],
    ] as const) {
      for (const sql of state === '3D000' ? [end, refuse] : [refuse, end]) await administer(sql)
      for (const read of [() => db.query('users').first('id'), () => db.transaction(async () => undefined)])
        await waitUntil(async () => {
          const failure = await read().then(String, (error) => error)
          expect(failure, state).to.have.property('code', 'SERVICE_UNAVAILABLE')
          return failure.cause.code === state ? true : null
        })
      await administer(admit)
      expect(await db.query('users').first('id')).to.equal(undefined)
    }
    const refused = db.query.raw(`DO $$ BEGIN RAISE 'refused' USING ERRCODE = '28000'; END $$`)
    expect(await refused.then(String, ({ code }) => code)).to.equal('28000')
    await db.close()
    await drop()
    await administer(`DROP ROLE ${name}`)
  })

  /** Opens two processes' databases over one, and runs the work with them. */
  async function withTwo(
    featureSet: FeatureSet,
    work: (dbs: readonly [Db, Db]) => Promise<void>,
  ): Promise<void> {
    const { url, drop } = await createMigratedDatabase()
    const open = () => openPostgresDatabase(url, { features: chooseFeatures(featureSet) })
    const dbs = [await open(), await open()] as const
    try {
      await work(dbs)
    } finally {
      await Promise.all(dbs.map(({ close }) => close()))
      await drop()
    }
  }

  /** Begins a transaction in one process that goes on until it is ended. */
  async function hold(db: Db, changes?: readonly LockName[]) {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = db.transaction(async () => {
      begun.resolve()
      await ended.promise
    }, changes)
    await begun.promise
    return async () => {
      ended.resolve()
      await done
    }
  }

  const waitsFor = async (db: Db, changes: readonly LockName[] | undefined, end: () => Promise<void>) => {
    const order: string[] = []
    const later = db.transaction(async () => void order.push('later'), changes)
    await waitUntil(async () => ((await countWaiting(db)) > 0 ? true : null))
    order.push('first')
    await end()
    await later
    return order
  }

  const countWaiting = async ({ query }: Db): Promise<number> => {
    const { rows } = await query.raw(`SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`)
    return rows[0].waiting
  }

  it('refuses a database that is used with other features, and says how to change them', async () => {
    const { url, drop } = await createPostgresDatabase()
    const open = (featureSet: FeatureSet) =>
      openPostgresDatabase(url, { features: chooseFeatures(featureSet) })
    await (await open('portable')).close()
    const failure = await open('full').catch((error: Error) => error)
    expect(String(failure)).to.contain('DATABASE_FEATURES=portable, not full')
    await (await open('portable')).close()
    await drop()
  })

  for (const featureSet of FEATURE_SETS) {
    describe(`with ${featureSet} features`, () => {
      it('runs a transaction beside those that name other things, whatever the process', () =>
        withTwo(featureSet, async ([one, other]) => {
          const end = await hold(one, ['agent a', 'key k'])
          for (const db of [one, other]) {
            await db.transaction(async () => undefined, ['agent b'])
            await db.transaction(async () => undefined, [])
          }
          await end()
        }))

      it('runs a transaction after those of another process that share a name, and one without names after all', () =>
        withTwo(featureSet, async ([one, other]) => {
          const order = ['first', 'later']
          expect(await waitsFor(other, ['key k', 'agent c'], await hold(one, ['agent a', 'key k']))).to.eql(
            order,
          )
          expect(await waitsFor(other, undefined, await hold(one, ['agent a']))).to.eql(order)
          expect(await waitsFor(other, [], await hold(one))).to.eql(order)
        }))

      it('runs a transaction that lost a deadlock again', () =>
        withTwo(featureSet, async (dbs) => {
          const rows = ['a', 'b'].map((name) => ({ name, holder: '', expires_at: 0 }))
          await dbs[0].query('leases').insert(rows)
          const [met, everyone] = [{ count: 0 }, Promise.withResolvers<void>()]
          const add = (trx: Knex.Transaction, name: string) =>
            trx('leases').where({ name }).increment('expires_at', 1)
          const both = (nth: 0 | 1, names: [string, string]) =>
            dbs[nth].transaction(async (trx) => {
              await add(trx, names[0])
              met.count += 1
              if (met.count === 2) everyone.resolve()
              await everyone.promise
              await add(trx, names[1])
            }, [])
          await Promise.all([both(0, ['a', 'b']), both(1, ['b', 'a'])])
          // Both may have lost, or the one that ran again met the other once more.
          expect(met.count).to.be.above(2)
          expect(await dbs[0].query('leases').sum({ all: 'expires_at' }).first()).to.deep.equal({ all: '4' })
        }))
    })
  }

  it('uses another connection if one has fallen silent, for example behind a firewall', async () => {
    const { url, drop } = await createPostgresDatabase()
    const proxy = await openSilenceable(url)
    const { query, close } = await openPostgresDatabase(proxy.url, { statementMs: 500 })
    const one = () => query.raw('SELECT 1 AS one').then(({ rows }) => rows[0].one as number)
    expect(await one()).to.equal(1)
    proxy.silence()
    const [refused] = await Promise.allSettled([one()])
    expect(refused).to.have.nested.property('reason.code', 'SERVICE_UNAVAILABLE')
    expect(await one()).to.equal(1)
    await close()
    proxy.stop()
    await drop()
  })

  it('explains that the server is unreachable', async () => {
    const failure = await openPostgresDatabase('postgres://svc@127.0.0.1:1/x').catch((error: Error) => error)
    expect(String(failure)).to.match(/ECONNREFUSED|refused/)
  })
})
