import { expect } from 'chai'
import fc from 'fast-check'
import { proposeFees, raiseFees } from '../../core/fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 14n })
const market = fc.record({ baseFee: wei, tip: wei, cap: wei })

describe('fees', () => {
  it('never exceed the cap, and the tip never exceeds the fee', () => {
    fc.assert(
      fc.property(market, (now) => {
        const fees = proposeFees(now)
        if (fees === null) {
          expect(now.baseFee > now.cap).to.equal(true)
          return
        }
        expect(fees.maxFeePerGas <= now.cap).to.equal(true)
        expect(fees.maxFeePerGas >= now.baseFee).to.equal(true)
        expect(fees.maxPriorityFeePerGas <= fees.maxFeePerGas).to.equal(true)
      }),
    )
  })

  it('leave room for the base fee to double, within the cap', () => {
    const cap = 10n ** 12n
    expect(proposeFees({ baseFee: 100n, tip: 7n, cap })).to.deep.equal({
      maxFeePerGas: 207n,
      maxPriorityFeePerGas: 7n,
    })
    expect(proposeFees({ baseFee: 100n, tip: 7n, cap: 150n })).to.deep.equal({
      maxFeePerGas: 150n,
      maxPriorityFeePerGas: 7n,
    })
    expect(proposeFees({ baseFee: 100n, tip: 7n, cap: 100n })?.maxFeePerGas).to.equal(100n)
    expect(proposeFees({ baseFee: 101n, tip: 7n, cap: 100n })).to.equal(null)
  })

  it('of a replacement are those of a new transaction if that is more', () => {
    const former = { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n }
    const cap = 10n ** 12n
    const inQuiet = raiseFees(former, { baseFee: 10n, tip: 1n, cap })
    expect(inQuiet).to.deep.equal({ maxFeePerGas: 90n, maxPriorityFeePerGas: 9n })
    const inHaste = raiseFees(former, { baseFee: 1_000n, tip: 20n, cap })
    expect(inHaste).to.deep.equal({ maxFeePerGas: 2_020n, maxPriorityFeePerGas: 20n })
    expect(raiseFees(former, { baseFee: 1_000n, tip: 20n, cap: 90n })?.maxFeePerGas).to.equal(90n)
    expect(raiseFees(former, { baseFee: 1_000n, tip: 20n, cap: 89n })).to.equal(null)
  })

  it('of a replacement are rounded up to the eighth that nodes require', () => {
    const market = { baseFee: 0n, tip: 0n, cap: 10n ** 12n }
    const raised = [1n, 8n, 9n].map(
      (maxFeePerGas) => raiseFees({ maxFeePerGas, maxPriorityFeePerGas: 0n }, market)?.maxFeePerGas,
    )
    expect(raised).to.deep.equal([2n, 9n, 11n])
    const replaced = raiseFees({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, market)
    expect(replaced).to.deep.equal({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
  })

  it('of a replacement are an eighth higher, or there is no replacement', () => {
    fc.assert(
      fc.property(market, market, (before, now) => {
        const former = proposeFees(before)
        fc.pre(former !== null)
        const fees = raiseFees(former, now)
        if (fees === null) {
          expect(former.maxFeePerGas * 9n > now.cap * 8n).to.equal(true)
          return
        }
        expect(fees.maxFeePerGas * 8n >= former.maxFeePerGas * 9n).to.equal(true)
        expect(fees.maxPriorityFeePerGas * 8n >= former.maxPriorityFeePerGas * 9n).to.equal(true)
        expect(fees.maxPriorityFeePerGas <= fees.maxFeePerGas).to.equal(true)
        expect(fees.maxFeePerGas <= now.cap).to.equal(true)
      }),
    )
  })
})
