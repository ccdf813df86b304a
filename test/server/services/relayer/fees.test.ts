import { expect } from 'chai'
import fc from 'fast-check'
import { firstFees, replacementFees } from '../../../../server/services/relayer/fees.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 14n })
const market = fc.record({ baseFee: wei, tip: wei, cap: wei })

describe('fees', () => {
  it('never pass the cap, and the tip never the fee', () => {
    fc.assert(
      fc.property(market, (now) => {
        const fees = firstFees(now)
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

  it('of a replacement are an eighth above the former or there is none', () => {
    fc.assert(
      fc.property(market, market, (before, now) => {
        const former = firstFees(before)
        fc.pre(former !== null)
        const fees = replacementFees(former, now)
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
