import { expect } from 'chai'
import { backOffMs } from '../../../../server/services/relayer/failures.ts'

describe('backOffMs', () => {
  it('doubles from a second up to five minutes, however often it fails', () => {
    const pauses = [0, 1, 2, 3, 8, 9, 20, 21, 2_000].map(backOffMs)
    expect(pauses).to.deep.equal([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000, 300_000, 300_000])
  })
})
