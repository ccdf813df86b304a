import { expect } from 'chai'
import { buildLocalRows } from '../../../bench/localEvaluation/buildLocalRows.ts'

const engine = (name: string, decisionsPerSecond: number) => ({
  name,
  decisionsPerSecond,
  grantsPerSecond: decisionsPerSecond,
  p50Micros: 0.2,
  p99Micros: 0.5,
})

describe('buildLocalRows', () => {
  it('judges the local evaluator by the hand-written function, by CASL and by its p99, in the same run', () => {
    const rows = buildLocalRows([
      engine('local evaluator', 2_400_000),
      engine('hand-written function', 4_000_000),
      engine('CASL', 1_000_000),
    ])
    const judged = rows.flatMap(({ name, value, target }) => (target ? [[name, value, target]] : []))
    expect(judged).to.deep.equal([
      ['local evaluator, p99', 0.5, { atMost: 2 }],
      ['local evaluator / hand-written function', 0.6, { atLeast: 0.7 }],
      ['local evaluator / CASL', 2.4, { atLeast: 2 }],
    ])
  })
})
