import { expect } from 'chai'
import type { Knex } from 'knex'
import { openPostgresPool } from '../../../../../server/store/database/connections/openPostgresPool.ts'
import {
  openReplica,
  type Replica,
} from '../../../../../server/store/database/connections/replica.postgres.ts'
import {
  createPostgresDatabase,
  type PostgresServer,
  startPostgres,
  testsPostgres,
} from '../../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../../harness/database/queryPostgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

describe('reads on a streaming standby', function () {
  this.timeout(120_000)
  let server: PostgresServer
  let standby: PostgresServer
  let primary: Knex
  let replica: Replica
  let path: string
  let rowsNow = 0
  const warnings: string[] = []
  const opened: Replica[] = []

  const open = (url: string): Replica => {
    const one = openReplica({
      url,
      primary,
      readRow: (reader) => reader('written').first('id'),
      warn: (sentence) => void warnings.push(sentence),
    })
    opened.push(one)
    return one
  }
  before(async function () {
    if (!testsPostgres) this.skip()
    server = await startPostgres()
    const { url } = await createPostgresDatabase(server.url)
    path = new URL(url).pathname
    primary = openPostgresPool(url, { name: 'test' }, { pool: { min: 0, max: 10 } })
    await primary.raw('CREATE TABLE written (id int)')
    standby = await startPostgres({ standbyOf: server })
    replica = open(new URL(path, standby.url).href)
  })
  beforeEach(() => warnings.splice(0))
  after(async () => {
    for (const one of opened) await one.close()
    await primary?.destroy()
    for (const one of [standby, server]) one?.stop()
  })

  /** Where a read went, and how many rows it found. */
  const read = (from = replica) =>
    from.read(async (reader) => {
      const { rows } = await reader.raw(
        'SELECT inet_server_port() AS port, (SELECT count(*)::int FROM written) AS found',
      )
      const [{ port, found }] = rows
      return { where: port === portOf(standby) ? 'standby' : 'primary', found }
    })
  const write = async () => {
    await primary.raw('INSERT INTO written VALUES (1)')
    rowsNow += 1
  }
  const isBack = () => waitUntil(async () => ((await read()).where === 'standby' ? true : null))

  it('finds what was committed before, also while the primary writes', async () => {
    let onStandby = 0
    await waitUntil(async () => {
      await write()
      const { where, found } = await read()
      expect(found).to.equal(rowsNow)
      if (where === 'standby') onStandby += 1
      return onStandby >= 10 || null
    })
    expect(await replica.look()).to.deep.include({ fault: null })
    expect(warnings).to.deep.equal([])
  })

  it('goes to the primary while the standby is behind, and comes back', async () => {
    await queryPostgres(standby.url, 'SELECT pg_wal_replay_pause()')
    await write()
    expect(await read()).to.deep.equal({ where: 'primary', found: rowsNow })
    const { behindBytes } = await replica.look()
    expect(behindBytes).to.be.above(0)
    await queryPostgres(standby.url, 'SELECT pg_wal_replay_resume()')
    await isBack()
  })

  it('uses a standby that has everything although the log goes on in a new file', async () => {
    const isCurrentThere = async () => {
      await primary.raw('SELECT pg_switch_wal()')
      const { behindBytes } = await replica.look()
      const { rows } = await primary.raw('SELECT pg_current_wal_insert_lsn()::text AS position')
      // Behind the header of the file's first page: nothing has been written to it.
      return (behindBytes === 0 && rows[0].position.endsWith('000028')) || null
    }
    await waitUntil(isCurrentThere)
    await isBack()
  })

  it('repeats on the primary what the standby cancels', async () => {
    const tried: string[] = []
    const found = await replica.read(async (reader) => {
      const { rows } = await reader.raw('SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid')
      tried.push(rows[0].standby ? 'standby' : 'primary')
      if (rows[0].standby)
        await queryPostgres(standby.url, 'SELECT pg_terminate_backend(?::int)', [rows[0].pid])
      return (await reader('written').count({ n: '*' }).first())?.n
    })
    expect([tried, Number(found)]).to.deep.equal([['standby', 'primary'], rowsNow])
    await isBack()
  })

  for (const [what, cancel] of [
    ['is slow or cancelled', 'SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(10)'],
    ['conflicts with the replay', "DO $$ BEGIN RAISE 'conflict' USING ERRCODE = '40001'; END $$"],
  ] as const) {
    it(`repeats only the statement that ${what} on the primary`, async () => {
      await isBack()
      const tried: string[] = []
      await replica.read(async (reader) => {
        const { rows } = await reader.raw('SELECT pg_is_in_recovery() AS standby')
        tried.push(rows[0].standby ? 'standby' : 'primary')
        if (rows[0].standby) await reader.raw(cancel)
      })
      expect(tried).to.deep.equal(['standby', 'primary'])
      expect((await read()).where).to.equal('standby')
      expect(warnings).to.deep.equal([])
    })
  }

  it('does not hide a mistake in a statement', async () => {
    const failure = await replica
      .read((reader) => reader.raw('SELECT nothing FROM nowhere'))
      .then(String, (error: Error) => error.message)
    expect(failure).to.include('nowhere')
    expect((await read()).where).to.equal('standby')
    expect(warnings).to.deep.equal([])
  })

  it('does not use a login that the standby refuses, or that may not read the tables there', async () => {
    await primary.raw('CREATE ROLE reader LOGIN IN ROLE pg_monitor')
    await primary.raw('CREATE ROLE refused NOLOGIN')
    await primary.raw('CREATE DATABASE elsewhere')
    const caughtUp = async () => ((await replica.look()).behindBytes === 0 ? true : null)
    await waitUntil(caughtUp)
    const refused = /^the login at READ_DATABASE_URL may not read the tables/
    for (const [name, user, database, fault] of [
      ['without grants', 'reader', path, refused],
      ['in another database', new URL(standby.url).username, '/elsewhere', refused],
      ['that is no login', 'refused', path, /^the replica does not respond/],
      ['that does not exist', 'nobody', path, /^the replica does not respond/],
      ['to a missing database', new URL(standby.url).username, '/nowhere', /^the replica does not respond/],
    ] as const) {
      warnings.splice(0)
      const url = new URL(standby.url)
      url.username = user
      url.pathname = database
      const one = open(url.href)
      for (let times = 0; times < 3; times += 1)
        expect(await read(one), name).to.include({ where: 'primary' })
      const looking = open(url.href)
      for (let times = 0; times < 2; times += 1) expect((await looking.look()).fault, name).to.match(fault)
      // One for each of the two that were opened.
      expect(warnings, name).to.have.length(2)
    }
  })

  it('does not use a server of another cluster, nor one that is not a standby', async () => {
    const foreign = await startPostgres()
    for (const [url, fault] of [
      [foreign.url, /of another cluster/],
      [new URL(path, server.url).href, /is no standby/],
    ] as const) {
      const one = open(url)
      expect((await one.look()).fault).to.match(fault)
      expect((await read(one)).where).to.equal('primary')
    }
    foreign.stop()
  })

  it('says so when the cause changes for which it is not used', async () => {
    const foreign = await startPostgres()
    const one = open(foreign.url)
    await one.look()
    await one.look()
    expect(warnings).to.deep.equal([
      'Reads go to the primary database: the server at READ_DATABASE_URL is of another cluster.',
    ])
    foreign.stop()
    await waitUntil(async () => ((await one.look()).fault?.includes('does not respond') ? true : null))
    expect(warnings).to.have.length(2)
    expect(warnings[1]).to.match(/^Reads go to the primary database: the replica does not respond/)
  })

  it('goes to the primary without a standby, says so once, and comes back', async () => {
    await standby.kill()
    expect(await read()).to.deep.equal({ where: 'primary', found: rowsNow })
    expect(await read()).to.deep.equal({ where: 'primary', found: rowsNow })
    expect((await replica.look()).fault).to.match(/^the replica does not respond/)
    expect(warnings.filter((warning) => warning.startsWith('Reads go to the primary'))).to.have.length(1)
    await standby.crash()
    await isBack()
    expect(warnings.at(-1)).to.equal('The read replica is used again.')
  })

  it('does not use a standby that was promoted, whose log has another timeline', async () => {
    await standby.promote()
    await write()
    await waitUntil(async () => ((await replica.look()).fault?.includes('is no standby') ? true : null))
    expect(await read()).to.deep.equal({ where: 'primary', found: rowsNow })
  })
})

function portOf({ url }: PostgresServer): number {
  return Number(new URL(url).port)
}
