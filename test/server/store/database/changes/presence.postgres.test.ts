import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { createRelayerLease } from '../../../../../server/services/relayer/lease.ts'
import {
  HOLDER_IS_GONE,
  openPresence,
  type Presence,
} from '../../../../../server/store/database/changes/presence.postgres.ts'
import { openPostgresDatabase } from '../../../../../server/store/database/database.postgres.ts'
import type { Db } from '../../../../../server/store/database/database.ts'
import { createLeaseStore } from '../../../../../server/store/database/locks/leaseStore.ts'
import {
  createMigratedDatabase,
  type PostgresDatabase,
  testsPostgres,
} from '../../../../harness/database/postgres.ts'
import { waitUntil } from '../../../../harness/runner/waitUntil.ts'

const FILE = new URL('../../../../../server/store/database/changes/presence.postgres.ts', import.meta.url)

/** Shows its presence, says under which name, and holds it until it is killed. */
const CHILD = `import { openPresence } from ${JSON.stringify(FILE.href)}
  const presence = openPresence(process.argv[1], 'child')
  await presence.show()
  console.log(presence.holder)`

describe('the relayer lease of processes over one PostgreSQL', () => {
  /** No lease expires while it stands still. */
  const clock = { now: 1_000_000 }
  const opened: Presence[] = []
  let database: PostgresDatabase
  let db: Db

  before(async function () {
    if (!testsPostgres) this.skip()
    database = await createMigratedDatabase()
    db = await openPostgresDatabase(database.url)
  })
  afterEach(() => db?.query('leases').delete())
  after(async () => {
    await Promise.all(opened.map((presence) => presence.close()))
    await db?.close()
    await database?.drop()
  })

  const leaseOf = (holder: string, showPresence?: () => Promise<void>) => {
    const leases = createLeaseStore(db.query, { clock: () => clock.now, holderIsGone: HOLDER_IS_GONE })
    return createRelayerLease({ db, leases, clock: () => clock.now, holder, showPresence })
  }
  const openLease = (id: string) => {
    const presence = openPresence(database.url, id)
    opened.push(presence)
    return leaseOf(presence.holder, presence.show)
  }

  it('goes to another one as soon as its holder is killed, and not before', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [name] = await once(child.stdout, 'data')
    expect(await leaseOf(String(name).trim()).acquire()).to.equal(true)
    const other = openLease('other')
    expect(await other.acquire()).to.equal(false)
    child.kill('SIGKILL')
    await waitUntil(async () => (await other.acquire()) || null)
  })

  it('is fenced off from a holder that has lost only its session', async () => {
    const [first, second] = [openLease('first'), openLease('second')]
    expect(await first.acquire()).to.equal(true)
    await db.query.raw(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'svc-presence'`,
    )
    await waitUntil(() =>
      second.acquire().then(
        (isHeld) => isHeld || null,
        () => null,
      ),
    )
    const write = first.whileLeaseHeld(async () => 'written')
    expect(await write.catch((error: Error) => error.message)).to.equal('the relayer lease was lost')
    await waitUntil(() =>
      first.acquire().then(
        (isHeld) => (isHeld ? null : true),
        () => null,
      ),
    )
    expect(await second.whileLeaseHeld(async () => 'written')).to.equal('written')
  })

  it('is left to a holder without a presence until it expires', async () => {
    const [former, next] = [leaseOf('former'), openLease('next')]
    expect(await former.acquire()).to.equal(true)
    expect(await next.acquire()).to.equal(false)
    clock.now += 60_000
    expect(await next.acquire()).to.equal(true)
    expect(await former.acquire()).to.equal(false)
  })
})
