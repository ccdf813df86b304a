import { mock } from 'node:test'
import { expect } from 'chai'
import { createErrorLog } from '../../../server/middleware/createErrorLog.ts'

type Line = Record<string, unknown>

const fullDisk = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
const lostServer = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

describe('the log of failed requests', () => {
  let lines: Line[]
  let refuse: (requestId: string, err?: unknown, detail?: string) => void

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    lines = []
    const log = createErrorLog({ error: (fields) => lines.push(fields as Line), debug: () => undefined })
    refuse = (requestId, err = fullDisk, detail = undefined) =>
      log.unavailable({ requestId, code: 'SERVICE_UNAVAILABLE', detail, err }, 'retry later')
  })
  afterEach(() => mock.timers.reset())

  it('has the first refusal of a cause in full, and then only their number every few seconds', () => {
    for (let nth = 0; nth < 1_000; nth += 1) refuse(`r${nth}`)
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({ requestId: 'r0', err: fullDisk })
    mock.timers.tick(5_000)
    expect(lines).to.have.length(2)
    expect(lines[1]).to.include({ count: 999, lastRequestId: 'r999' }).and.not.to.have.property('err')
    refuse('later')
    mock.timers.tick(5_000)
    expect(lines[2]).to.include({ count: 1, lastRequestId: 'later' })
  })

  it('has a refusal in full again after the service recovered', () => {
    refuse('r0')
    mock.timers.tick(5_000)
    refuse('r1')
    expect(lines).to.have.length(2)
    expect(lines[1]).to.include({ requestId: 'r1', err: fullDisk })
  })

  it('has each cause in full, whatever statement met it', () => {
    refuse('r0')
    refuse('r1', lostServer)
    refuse('r2', new Error(), 'select 1 - Connection terminated')
    refuse('r3', new Error(), 'select 2 - Connection terminated')
    refuse('r4', null, 'the feed is behind the log by 20 records')
    refuse('r5', null, 'the feed is behind the log by 19 records')
    expect(lines.map(({ requestId }) => requestId)).to.deep.equal(['r0', 'r1', 'r2', 'r4'])
  })
})
