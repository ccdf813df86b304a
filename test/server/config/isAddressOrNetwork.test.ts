import { expect } from 'chai'
import { isAddressOrNetwork } from '../../../server/config/isAddressOrNetwork.ts'

describe('isAddressOrNetwork', () => {
  it('accepts only addresses and networks', () => {
    for (const good of ['::ffff:10.0.0.0/104', '10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])
      expect(isAddressOrNetwork(good)).to.equal(true)
    for (const bad of [
      '',
      '::ffff:10.0.0.0/8',
      'proxy',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fd00::/129',
      '10.0.0/8',
    ])
      expect(isAddressOrNetwork(bad), bad).to.equal(false)
  })
})
