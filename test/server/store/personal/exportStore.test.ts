import { expect } from 'chai'
import { createExportStore, type ExportStore } from '../../../../server/store/personal/exportStore.ts'
import { createPersonalStore } from '../../../../server/store/personal/personalStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

describe('exportStore', () => {
  let opened: TemporaryDatabase
  let exports: ExportStore
  beforeEach(async () => {
    opened = await openTemporaryDatabase()
    exports = createExportStore(opened.db.query)
  })
  afterEach(() => opened.remove())

  const inTransaction = <Result>(work: Parameters<typeof opened.db.transaction<Result>>[0]) =>
    opened.db.transaction(work)
  const request = (id: string, requestedAt = 1) =>
    inTransaction((trx) => exports.request(trx, { id, userId: 'ada', requestedAt }))
  const claim = (now: number) =>
    inTransaction((trx) => exports.claim(trx, { now, until: now + 10, attemptsMax: 3 }))
  const addPart = (attempt: Awaited<ReturnType<typeof claim>>, number: number) =>
    inTransaction(async (trx) => {
      if (attempt === null) throw new Error('nothing was claimed')
      return exports.addPart(trx, attempt, { number, bytes: new Uint8Array([number, 255]), until: 30 })
    })
  const countParts = async () => (await opened.db.query('data_export_parts').select('number')).length

  it('lets one process at a time prepare an export, and another once the first must have died', async () => {
    await request('x')
    const first = await claim(5)
    expect(first).to.include({ id: 'x', attempts: 1 })
    expect(await claim(14)).to.equal(null)
    expect(await addPart(first, 0)).to.equal(true)
    expect(await claim(29)).to.equal(null)
    const second = await claim(30)
    expect(second).to.include({ id: 'x', attempts: 2 })
    expect(await countParts()).to.equal(0)
    expect(await addPart(first, 1)).to.equal(false)
    expect(await addPart(second, 0)).to.equal(true)
    expect(await exports.part('x', 0)).to.deep.equal(Buffer.from([0, 255]))
    expect(await exports.part('x', 1)).to.equal(null)
  })

  it('prepares an export again after a failure, and never after the last', async () => {
    await request('x')
    const first = await claim(5)
    if (first === null) throw new Error('nothing was claimed')
    await inTransaction((trx) => exports.giveUp(trx, first, 100))
    expect(await claim(99)).to.equal(null)
    const second = await claim(100)
    if (second === null) throw new Error('nothing was claimed')
    await inTransaction((trx) => exports.giveUp(trx, second, null))
    expect(await claim(1_000)).to.equal(null)
    expect(await exports.of('ada')).to.include({ status: 'failed' })
  })

  it('has failed after the last attempt, also if every one of them ended with its process', async () => {
    await request('x')
    for (const now of [10, 20, 30]) expect(await claim(now)).to.include({ id: 'x' })
    expect(await claim(40)).to.equal(null)
    expect(await exports.of('ada')).to.include({ status: 'failed', attempts: 3 })
  })

  it('deletes the file of an expired export, and that of one that another has replaced', async () => {
    await request('x')
    const attempt = await claim(5)
    if (attempt === null) throw new Error('nothing was claimed')
    for (const number of [0, 1, 2]) await addPart(attempt, number)
    const clean = (now: number) => inTransaction((trx) => exports.deleteExpired(trx, now, 2))
    await inTransaction((trx) => exports.finish(trx, attempt, { sizeBytes: 6, readyAt: 6, expiresAt: 50 }))
    expect(await clean(49)).to.equal(0)
    expect(await clean(50)).to.equal(3)
    expect(await exports.of('ada')).to.equal(null)
    expect(await clean(50)).to.equal(1)
    await request('y', 60)
    await addPart(await claim(60), 0)
    await request('z', 70)
    expect([await clean(70), await countParts()]).to.deep.equal([1, 0])
    expect(await exports.of('ada')).to.include({ id: 'z', status: 'preparing', requestedAt: 70 })
  })

  it('is erased with the identity of its owner', async () => {
    await request('x')
    await addPart(await claim(5), 0)
    const person = { userId: 'ada', developerId: 'SVCD-a', email: null, ownerIds: ['SVCD-a'] }
    const personal = createPersonalStore(opened.db.query)
    await inTransaction((trx) => personal.deleteRows(trx, person, 'with the identity'))
    expect([await exports.of('ada'), await countParts()]).to.deep.equal([null, 0])
  })
})
