import { checkpointText } from '@svc/core/audit/checkpoint.ts'
import { expect } from 'chai'

const root = '0x0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62'

describe('checkpointText', () => {
  it('is origin, size and root, a line each', () => {
    expect(checkpointText({ origin: 'example.com/behind-the-sofa', size: 20852163, root })).to.equal(
      'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    )
  })

  it('is refused for an origin that would not be one line, or not the name of a key', () => {
    for (const origin of ['', ' ', 'a b', 'a\nb', 'a\n', '+a', 'a+']) {
      expect(() => checkpointText({ origin, size: 1, root }), origin).to.throw(
        'cannot be the origin of a log',
      )
    }
  })
})
