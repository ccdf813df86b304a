import { expect } from 'chai'
import { buildVerifyAccessSections } from '../../bench/buildVerifyAccessSections.ts'
import type { OpenLoopResult } from '../../bench/load/openLoop.ts'
import type { VerifyAccessFigures } from '../../bench/verifyAccessFigures.ts'

const opened = (p50: number, p99: number): OpenLoopResult => ({
  right: 1,
  wrong: [],
  p50,
  p99,
  lateP99: 0.01,
})

const figures: VerifyAccessFigures = {
  connections: 64,
  openPerSecond: 1_000,
  closed: {
    bareExpress: [20_000, 5_000, 21_000],
    sqliteCommit: [1_800],
    knexCommit: [900],
    verified: [13_000, 14_000, 13_500],
  },
  onAllCores: { bareExpress: [20_000], signed: [10_000, 9_000, 12_000], receipt: [8_000] },
  open: {
    bareExpress: [opened(0.15, 0.5)],
    sqliteCommit: [opened(0.4, 1.2)],
    verified: [opened(0.55, 1.5)],
  },
  answerBytes: { bareExpress: 490, verified: 495 },
  fsyncMs: 0.2,
  recorded: { answers: 10, records: 10 },
  rounds: 10,
  busyRounds: 0,
  wrong: [],
}

const rowOf = (input: VerifyAccessFigures, name: string) =>
  buildVerifyAccessSections(input)
    .flatMap(({ rows }) => rows)
    .find((row) => row.name === name)
const figureOf = (input: VerifyAccessFigures, name: string) => rowOf(input, name)?.value

describe('buildVerifyAccessSections', () => {
  it('compares medians, so that one disturbed round changes nothing', () => {
    expect(figureOf(figures, 'ours, verified / bare Express')).to.equal(13_500 / 20_000)
  })

  it('compares ours with the faster of the peers that commit once per request', () => {
    expect(figureOf(figures, 'ours, verified / best commit per request')).to.equal(7.5)
    expect(figureOf(figures, 'ours, verified / knex, one commit per request')).to.equal(15)
  })

  it('expresses open-loop latencies in fsyncs of this disk, and the p99 relative to the peer that waits for it too', () => {
    expect(figureOf(figures, "ours, verified, p50 above Express's")).to.be.closeTo(2, 1e-9)
    expect(figureOf(figures, 'ours, verified, p99 / one commit per request')).to.equal(1.25)
  })

  it('judges ours by its limit and, for the p99, by the peer, but not by multiples of other figures', () => {
    expect(rowOf(figures, 'ours, verified / bare Express')?.target).to.deep.equal({
      atLeast: 0.8,
      floor: 0.6,
    })
    const p99 = rowOf(figures, 'ours, verified, p99 / one commit per request')
    expect(p99?.target).to.deep.equal({ atMost: 1 })
    for (const peer of ['best commit per request', 'knex, one commit per request'])
      expect(rowOf(figures, `ours, verified / ${peer}`)).to.not.have.property('target')
  })

  it('compares signed requests with bare Express where both may use all cores', () => {
    expect(figureOf(figures, 'ours, signed and verified / bare Express')).to.equal(0.5)
    expect(figureOf(figures, 'ours, signed and verified, with a receipt / bare Express')).to.equal(0.4)
  })

  it('leaves out what was not measured', () => {
    const { verified: _, ...peers } = figures.closed
    const without = { ...figures, closed: peers, onAllCores: {}, open: {}, recorded: undefined }
    expect(figureOf(without, 'ours, verified')).to.equal(undefined)
    expect(figureOf(without, 'bare Express 5, the limit')).to.equal(20_000)
  })
})
