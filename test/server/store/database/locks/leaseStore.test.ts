import { expect } from 'chai'
import { createLeaseStore } from '../../../../../server/store/database/locks/leaseStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../../harness/database/openTemporaryDatabase.ts'
import { testsPostgres } from '../../../../harness/database/postgres.ts'

const DAY_MS = 86_400_000
const lease = (holder: string) => ({ name: 'relayer', holder, durationMs: 20_000 })

describe('leases', () => {
  let temporary: TemporaryDatabase
  const storeAt = (now: number) => createLeaseStore(temporary.db.query, { clock: () => now })
  const expiresAt = async () => (await temporary.db.query('leases').first('expires_at')).expires_at

  afterEach(() => temporary?.remove())

  it('are free although a process whose clock was a day ahead took them and died', async () => {
    temporary = await openTemporaryDatabase()
    expect(await storeAt(DAY_MS).acquire(lease('ahead'))).to.equal(true)
    expect(await storeAt(1_000).acquire(lease('other'))).to.equal(true)
    expect(await expiresAt()).to.equal(21_000)
  })

  it('stay with their holder while the clocks differ by less than they last', async () => {
    temporary = await openTemporaryDatabase()
    expect(await storeAt(10_000).acquire(lease('ahead'))).to.equal(true)
    expect(await storeAt(1_000).acquire(lease('other'))).to.equal(false)
  })

  it('end by the clock of PostgreSQL, whatever those of the processes show', async function () {
    if (!testsPostgres) this.skip()
    temporary = await openTemporaryDatabase('postgres')
    const { db } = temporary
    const leases = createLeaseStore(db.query)
    const secondsLeft = async () => {
      const { rows } = await db.query.raw(
        'SELECT (expires_at / 1000.0 - extract(epoch FROM clock_timestamp()))::float AS left FROM leases',
      )
      return rows[0].left
    }
    expect(await leases.acquire(lease('first'))).to.equal(true)
    expect(await secondsLeft()).to.be.within(0, 20)
    expect(await leases.acquire(lease('second'))).to.equal(false)
    expect(await db.transaction((trx) => leases.extend(trx, lease('first')))).to.equal(true)
    await db.query('leases').update({ expires_at: db.query.raw('expires_at - 20000') })
    expect(await db.transaction((trx) => leases.extend(trx, lease('first')))).to.equal(false)
    expect(await leases.acquire(lease('second'))).to.equal(true)
    expect(await secondsLeft()).to.be.within(0, 20)
  })
})
