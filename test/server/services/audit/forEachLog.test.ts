import { expect } from 'chai'
import { forEachLog } from '../../../../server/services/audit/forEachLog.ts'

describe('forEachLog', () => {
  it('adds up the results', async () => {
    expect(await forEachLog([1, 2, 3], async (log) => log * 10)).to.equal(60)
    expect(await forEachLog([], async () => 1)).to.equal(0)
  })

  it('does the work of all logs although one fails, and reports the first failure', async () => {
    const done: number[] = []
    const work = async (log: number) => {
      if (log % 2 === 0) throw new Error(`log ${log}`)
      done.push(log)
      return 1
    }
    const failure = await forEachLog([1, 2, 3, 4, 5], work).catch((error: Error) => error)
    expect(failure).to.have.property('message', 'log 2')
    expect(done).to.deep.equal([1, 3, 5])
  })

  it('lets no log wait for another', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = async (log: number) => {
      if (log === 2) resolve()
      else await promise
      return 1
    }
    expect(await forEachLog([1, 2], work)).to.equal(2)
  })
})
