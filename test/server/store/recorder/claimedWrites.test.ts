import { expect } from 'chai'
import type { Db } from '../../../../server/store/database/database.ts'
import { createClaimedWrites, type UseCaseAnswers } from '../../../../server/store/recorder/claimedWrites.ts'
import { createIdempotencyStore } from '../../../../server/store/recorder/idempotencyStore.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'

const CLAIM = { caller: 'key:1', key: 'k', claimId: 'c1', fingerprint: 'f', claimedAt: 1 }

const claimOf = (claimId: string, kept: UseCaseAnswers = {}) => ({ claimId, kept, seal: JSON.stringify })

describe('claimedWrites', () => {
  let opened: Awaited<ReturnType<typeof openTemporaryDatabase>>
  let db: Db

  beforeEach(async () => {
    opened = await openTemporaryDatabase()
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
    await writes.runWithClaim(claimOf('c1'), () => write(writes.db, 'a'))
    expect(await stateOf()).to.equal('applied')
    await claims.release('c1')
    expect(await stateOf()).to.equal('interrupted')
  })

  it('rolls back the write of a request whose claim another has taken over', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    await claims.claim(CLAIM)
    await claims.release('c1')
    await claims.claim({ ...CLAIM, claimId: 'c2' })
    const failure = await writes
      .runWithClaim(claimOf('c1'), () => write(writes.db, 'a'))
      .catch((error: Error) => error)
    expect(String(failure)).to.contain('took over the Idempotency-Key')
    expect([await written(), await stateOf()]).to.deep.equal([0, 'running'])
  })

  it('does not affect background work of a request, nor work without a claim', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    let later = (): void => undefined
    const started = new Promise<void>((resolve) => {
      later = resolve
    })
    let background: Promise<unknown> = Promise.resolve()
    await writes.runWithClaim(claimOf('gone'), async () => {
      background = started.then(() => write(writes.db, 'a'))
    })
    later()
    await background
    expect(await written()).to.equal(1)
  })

  it('stores the result of a use case in the transaction of its write, and returns it instead of repeating the work', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    const add = (logId: string) =>
      writes.runOnce(() =>
        writes.db.transaction(async (trx) => {
          await trx('installation').insert({ id: 1, log_id: logId, created_at: 1 })
          return { made: logId }
        }),
      )
    await claims.claim(CLAIM)
    await writes.runWithClaim(claimOf('c1'), () => add('a'))
    const row = await db.query('idempotency_keys').select('kept').first()
    expect(JSON.parse(row?.kept)).to.deep.equal({ '': { made: 'a' } })

    await claims.release('c1')
    const seen = { claimId: 'c1', state: 'interrupted' } as const
    expect(await claims.takeOver(seen, { claimId: 'c2', claimedAt: 2 })).to.equal(true)
    expect(await claims.takeOver(seen, { claimId: 'c3', claimedAt: 2 })).to.equal(false)
    const again = await writes.runWithClaim(claimOf('c2', JSON.parse(row?.kept)), () => add('b'))
    expect([again, await written()]).to.deep.equal([{ made: 'a' }, 1])
  })

  it('stores the result of the first transaction of the work, and of no other', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    const write = (result: string) => writes.db.transaction(async () => result)
    await claims.claim(CLAIM)
    await writes.runWithClaim(claimOf('c1'), async () => {
      await write('before')
      await writes.runOnce(async () => [await write('first'), await write('second')])
      await write('after')
    })
    const row = await db.query('idempotency_keys').select('kept').first()
    expect(JSON.parse(row?.kept)).to.deep.equal({ '': 'first' })
  })

  it('stores the results of a request’s parts separately, and repeats only missing ones', async () => {
    const claims = createIdempotencyStore(db.query)
    const writes = createClaimedWrites(db, claims)
    const done: string[] = []
    const answer = (name: string) =>
      writes.runOnce(() =>
        writes.db.transaction(async () => {
          done.push(name)
          return name
        }),
      )
    await claims.claim(CLAIM)
    const claim = claimOf('c1', { 0: 'kept' })
    const answers = await writes.runWithClaim(claim, async () => [
      await writes.runPart('0', () => answer('first')),
      await writes.runPart('1', () => answer('second')),
    ])
    expect([answers, done]).to.deep.equal([['kept', 'second'], ['second']])
    const row = await db.query('idempotency_keys').select('kept').first()
    expect(JSON.parse(row?.kept)).to.deep.equal({ 0: 'kept', 1: 'second' })
  })
})
