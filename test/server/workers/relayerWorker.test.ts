import { expect } from 'chai'
import { createRelayerWorker } from '../../../server/workers/relayerWorker.ts'

describe('relayerWorker', () => {
  const onError = () => undefined

  it('continues without a pause if it is woken during a round', async () => {
    let rounds = 0
    const { promise: inRound, resolve: enter } = Promise.withResolvers<void>()
    const { promise: hasNews, resolve: tell } = Promise.withResolvers<void>()
    const { promise: again, resolve: seenAgain } = Promise.withResolvers<void>()
    const worker = createRelayerWorker({
      async round() {
        rounds += 1
        if (rounds === 2) seenAgain()
        enter()
        await hasNews
        return 0
      },
      pauseMs: 3_600_000,
      onError,
    })
    worker.start()
    await inRound
    worker.wake()
    tell()
    await again
    await worker.stop()
    expect(rounds).to.equal(2)
  })

  it('pauses after a round without progress, until it is woken', async () => {
    let rounds = 0
    const round = async () => {
      rounds += 1
      return 0
    }
    const worker = createRelayerWorker({ round, pauseMs: 3_600_000, onError })
    worker.start()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(rounds).to.equal(1)
    worker.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(rounds).to.equal(2)
    await worker.stop()
  })

  it('continues after a failed round, and reports it', async () => {
    const failures: unknown[] = []
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    const failing = createRelayerWorker({
      round: () => Promise.reject(new Error('the chain is away')),
      pauseMs: 1,
      onError(error) {
        failures.push(error)
        if (failures.length === 2) resolve()
      },
    })
    failing.start()
    await seen
    await failing.stop()
    expect(failures.map(String)).to.include('Error: the chain is away')
  })
})
