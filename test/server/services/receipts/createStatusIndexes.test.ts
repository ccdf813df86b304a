import { expect } from 'chai'
import { createStatusIndexes } from '../../../../server/services/receipts/createStatusIndexes.ts'
import { createStatusIndexStore } from '../../../../server/store/receipts/statusIndexStore.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

describe('positions in the status lists', () => {
  it('are given once each, however many processes take them at the same time', async () => {
    const temporary = await openTemporaryDatabase(testedDatabase)
    const { reserve, size } = createStatusIndexStore(temporary.db)
    const processes = [createStatusIndexes(reserve), createStatusIndexes(reserve)]
    const taken = await Promise.all(
      Array.from({ length: 6_000 }, (_, nth) => (processes[nth % 2] ?? reserve.bind(null, 1))()),
    )
    expect(new Set(taken)).to.have.property('size', 6_000)
    expect(Math.max(...taken)).to.be.below(await size())
    await temporary.remove()
  })

  it('are taken from a reserve without touching the database', async () => {
    let reservations = 0
    const take = createStatusIndexes(async () => {
      reservations += 1
      return 5_000
    })
    expect(await take()).to.equal(5_000)
    for (let next = 5_001; next < 5_500; next += 1) expect(take()).to.equal(next)
    expect(reservations).to.equal(1)
  })

  it('are reserved again after a reservation failed', async () => {
    let isFailing = true
    const take = createStatusIndexes(async () => {
      if (isFailing) throw new Error('no database')
      return 7
    })
    const failed = await Promise.resolve(take()).then(
      () => null,
      (error: Error) => error.message,
    )
    expect(failed).to.equal('no database')
    isFailing = false
    expect(await take()).to.equal(7)
  })
})
