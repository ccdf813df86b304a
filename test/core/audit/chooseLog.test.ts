import { chooseLog, LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import { expect } from 'chai'

describe('chooseLog', () => {
  const ids = Array.from({ length: 4_000 }, (_, nth) => `SVCO-${nth}`)

  it('is the same for ever, because places in logs that are anchored follow from it', () => {
    const known = ['SVCO-0000000000000000000001', 'SVCD-agentowner000000000000', 'SVCO-1', 'SVCO-é']
    expect(known.map((id) => chooseLog(id, 5))).to.deep.equal([0, 1, 1, 2])
    expect(known.map((id) => chooseLog(id, 32))).to.deep.equal([30, 7, 17, 14])
  })

  it('gives every log about as many organisations', () => {
    for (const logs of [2, 3, 7, LOGS_MAX]) {
      const counts = Array.from({ length: logs }, () => 0)
      for (const id of ids) counts[chooseLog(id, logs)] = (counts[chooseLog(id, logs)] ?? 0) + 1
      const mean = ids.length / logs
      // Five standard deviations; the identifiers are fixed, so this cannot fail by chance.
      const bound = 5 * Math.sqrt(mean)
      expect(
        counts.every((count) => Math.abs(count - mean) < bound),
        String(counts),
      ).to.equal(true)
    }
  })

  it('puts everything into the one log, and what has no organisation into the first of several', () => {
    expect(new Set(ids.map((id) => chooseLog(id, 1)))).to.deep.equal(new Set([0]))
    expect(chooseLog(null, LOGS_MAX)).to.equal(0)
  })
})
