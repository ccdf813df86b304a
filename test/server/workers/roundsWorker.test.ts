import { expect } from 'chai'
import { apiError } from '../../../server/errors.ts'
import { createRoundsWorker } from '../../../server/workers/roundsWorker.ts'

const log = { error: () => undefined }

describe('consecutive rounds', () => {
  it('let timers of the process run even if they never wait', async () => {
    let rounds = 0
    const round = async () => {
      rounds += 1
      return rounds < 1_000_000 ? 1 : 0
    }
    const worker = createRoundsWorker({ failing: 'it fails', round, pauseMs: 1_000, log })
    const seen = await new Promise<number>((resolve) => {
      setTimeout(() => resolve(rounds), 5)
      worker.start()
    })
    await worker.stop()
    expect(seen).to.be.within(1, 999_999)
  })

  it('pause in between if they are not urgent', async () => {
    const begun: number[] = []
    const round = async () => {
      begun.push(performance.now())
      return begun.length < 4 ? 1 : 0
    }
    const worker = createRoundsWorker({ failing: 'it fails', round, pauseMs: 60_000, breathMs: 30, log })
    await new Promise<void>((resolve) => {
      worker.start()
      const look = setInterval(() => {
        if (begun.length < 4) return
        clearInterval(look)
        resolve()
      }, 5)
    })
    await worker.stop()
    // A timer may be early by less than a millisecond, never by more.
    expect((begun.at(-1) ?? 0) - (begun[0] ?? 0)).to.be.at.least(3 * 29)
  })

  it('rest without progress, until they are woken', async () => {
    let rounds = 0
    const round = async () => {
      rounds += 1
      return 0
    }
    const worker = createRoundsWorker({ failing: 'it fails', round, pauseMs: 60_000, log })
    worker.start()
    await new Promise((resume) => setTimeout(resume, 30))
    expect(rounds).to.equal(1)
    worker.wake()
    await new Promise((resume) => setTimeout(resume, 30))
    expect(rounds).to.equal(2)
    await worker.stop()
  })

  it('report failures once until they succeed', async () => {
    const told: string[] = []
    let rounds = 0
    const round = async () => {
      rounds += 1
      if (rounds < 3) throw new Error('no')
      return 0
    }
    const worker = createRoundsWorker({
      failing: 'it fails',
      round,
      pauseMs: 10,
      log: { error: (_, message) => told.push(message) },
    })
    worker.start()
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (rounds < 3) return
        clearInterval(look)
        resolve()
      }, 5)
    })
    expect(told).to.deep.equal(['it fails: no'])
    expect(worker.failure()).to.equal(null)
    await worker.stop()
  })

  it('report the detail of a failure instead of the message for callers', async () => {
    const { promise: reported, resolve } = Promise.withResolvers<string>()
    const round = async () => {
      throw apiError('SERVICE_UNAVAILABLE', { detail: 'the feed is behind the log' })
    }
    const worker = createRoundsWorker({
      ...{ failing: 'no batch can be sealed', round, pauseMs: 60_000 },
      log: { error: (_, message) => resolve(message) },
    })
    worker.start()
    expect(await reported).to.equal('no batch can be sealed: the feed is behind the log')
    expect(worker.failure()).to.equal(await reported)
    await worker.stop()
  })
})
