import { plainIpAddress } from '@svc/core/url/ipAddress.ts'
import { expect } from 'chai'

describe('plainIpAddress', () => {
  for (const [text, address] of [
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:1', '::ffff:1'],
    ['fe80::1%eth0', undefined],
    ['192.0.2.1, 198.51.100.1', undefined],
    ['192.0.2.1:443', undefined],
    ['unknown', undefined],
    ['', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${address ?? 'none'}`, () => {
      expect(plainIpAddress(text)).to.equal(address)
    })
  }
})
