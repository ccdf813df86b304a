import { expect } from 'chai'
import { createClaimedWrites } from '../../../server/store/claimedWrites.ts'
import type { Db } from '../../../server/store/database.ts'
import { createIdempotencyStore } from '../../../server/store/idempotencyStore.ts'
import { temporaryDatabase } from '../../harness/temporaryDatabase.ts'

const CLAIM = { caller: 'key:1', key: 'k', claimId: 'c1', fingerprint: 'f', claimedAt: 1 }

describe('claimedWrites', () => {
  let opened: Awaited<ReturnType<typeof temporaryDatabase>>
  let db: Db

  beforeEach(async () => {
    opened = await temporaryDatabase()
    db = opened.db
  })
  afterEach(() => opened.remove())

  const write = (through: Db, logId: string) =>
    through.transaction((trx) => trx('installation').insert({ id: 1, log_id: logId, created_at: 1 }))
  const stateOf = async () => (await db.query('idempotency_keys').select('state').first())?.state
  const written = async () => (await db.query('installation').select('log_id')).length

  it('marks the claim in the transaction of the write', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    await claims.claim(CLAIM)
    await writes.runUnder('c1', () => write(writes.db, 'a'))
    expect(await stateOf()).to.equal('applied')
    await claims.giveUp('c1')
    expect(await stateOf()).to.equal('applied')
  })

  it('undoes the write of a request whose claim another has taken over', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    await claims.claim(CLAIM)
    await claims.giveUp('c1')
    await claims.claim({ ...CLAIM, claimId: 'c2' })
    const failure = await writes.runUnder('c1', () => write(writes.db, 'a')).catch((error: Error) => error)
    expect(String(failure)).to.contain('lost its Idempotency-Key')
    expect([await written(), await stateOf()]).to.deep.equal([0, 'running'])
  })

  it('leaves alone what a request set going and what nobody claimed', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    let later = (): void => undefined
    const started = new Promise<void>((resolve) => {
      later = resolve
    })
    let background: Promise<unknown> = Promise.resolve()
    await writes.runUnder('gone', async () => {
      background = started.then(() => write(writes.db, 'a'))
    })
    later()
    await background
    expect(await written()).to.equal(1)
  })
})
