import { expect } from 'chai'
import { measureGas } from '../../bench/gas.ts'

describe('the gas of the contracts', () => {
  let rows: Awaited<ReturnType<typeof measureGas>>
  before(async () => {
    rows = await measureGas({ isQuick: true })
  })

  const oursIn = (name: string, unit: string) => {
    const row = rows.find((candidate) => candidate.name.startsWith(name) && candidate.unit === unit)
    if (row === undefined) throw new Error(`no row "${name}" in ${unit}`)
    return row.ours
  }

  it('is below the limit of every operation that has a reference', () => {
    const compared = rows.filter((row) => row.unit === 'gas' && row.reference !== undefined)
    expect(compared.length).to.be.at.least(20)
    for (const { name, ours, limit } of compared) expect(ours, name).to.be.below(limit ?? 0)
    const limits = compared.map(({ limit, reference }) => (limit ?? 0) / (reference ?? 1))
    expect(limits.filter((ratio) => ratio > 1)).to.have.length(16)
    expect(Math.max(...limits)).to.be.at.most(1.1)
  })

  it('is at most 62 per record for batches of 1,024 in a log of 65,536', () => {
    expect(oursIn('anchor 1,024 in a log of 65,536', 'gas per record')).to.be.at.most(62)
  })

  it('grows with the batch only by the length of the proof', () => {
    const single = oursIn('anchor 1 in a log of 65,536', 'gas')
    expect(oursIn('anchor 16,384 in a log of 65,536', 'gas')).to.be.below(single + 2_500)
  })

  it('grows by at most 1,200 when the log doubles', () => {
    expect(oursIn('anchor, additional gas per doubling of the log', 'gas')).to.be.at.most(1_200)
  })
})
