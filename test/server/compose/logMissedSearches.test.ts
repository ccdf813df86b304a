import { mock } from 'node:test'
import { expect } from 'chai'
import { logMissedSearches } from '../../../server/compose/logMissedSearches.ts'
import { apiError } from '../../../server/errors.ts'

const lost = (statement: string) => {
  const detail = `${statement} - connect ECONNREFUSED 127.0.0.1:5432`
  return apiError('SERVICE_UNAVAILABLE', { detail, cause: new Error(detail) })
}

describe('the log of searches that may go unnoticed', () => {
  let lines: Record<string, unknown>[]
  let miss: (error: unknown) => void

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    lines = []
    miss = logMissedSearches({ warn: (fields: object) => void lines.push(fields as Record<string, unknown>) })
  })
  afterEach(() => mock.timers.reset())

  it('has one line with the error for an outage, and then their number every few seconds', () => {
    const first = lost('begin')
    miss(first)
    for (let nth = 1; nth < 1_000; nth += 1) miss(lost(`select ${nth}`))
    expect(lines).to.deep.equal([{ err: first }])
    mock.timers.tick(5_000)
    expect(lines).to.deep.equal([{ err: first }, { count: 999 }])
    mock.timers.tick(60_000)
    expect(lines).to.have.length(2)
  })

  it('has each cause, also a defect', () => {
    const defects = [new TypeError('not a function'), Object.assign(new Error('no'), { code: '42P01' })]
    for (const error of [lost('begin'), ...defects, ...defects]) miss(error)
    expect(lines.slice(1)).to.deep.equal(defects.map((err) => ({ err })))
  })
})
