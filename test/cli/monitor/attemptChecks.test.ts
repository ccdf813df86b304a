import { expect } from 'chai'
import { attemptChecks, type Obstacle } from '../../../cli/monitor/attemptChecks.ts'
import { Unchecked } from '../../../cli/monitor/openMonitoredService.ts'
import { UsageError } from '../../../cli/terminal/usageError.ts'

describe('a check of the monitor', () => {
  const attempt = async (failure: unknown, signal = new AbortController().signal) => {
    const obstacles: Obstacle[] = []
    const passed = await attemptChecks(
      obstacles,
      signal,
    )(async () => {
      if (failure !== null) throw failure
    })
    return { passed, obstacles }
  }

  it('reports nothing when the check succeeds', async () => {
    expect(await attempt(null)).to.deep.equal({ passed: true, obstacles: [] })
  })

  it('is an obstacle with its evidence if it is prevented, and also if it fails as nobody expected', async () => {
    expect(await attempt(new Unchecked('behind', { evidence: ['note'] }))).to.deep.equal({
      passed: false,
      obstacles: [{ text: 'behind', evidence: ['note'] }],
    })
    for (const failure of [new RangeError('too long'), new TypeError('x is undefined'), 'text'])
      expect((await attempt(failure)).obstacles).to.deep.equal([
        { text: `the check failed unexpectedly: ${failure}`, evidence: [] },
      ])
  })

  it('is not begun when the look has ended', async () => {
    const { passed, obstacles } = await attempt(null, AbortSignal.abort())
    expect([passed, obstacles[0]?.text]).to.deep.equal([false, 'the look took too long, and was ended'])
  })

  it('ends the monitor if a file of this machine is missing', async () => {
    const failure = await attempt(new UsageError('no file')).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(UsageError)
  })
})
