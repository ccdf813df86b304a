import { ipv6Groups } from '@svc/core/url/ipAddress.ts'
import { expect } from 'chai'

describe('the first groups of an IPv6 address', () => {
  for (const [address, count, groups] of [
    ['2001:DB8:0:07:1:2:3:4', 4, '2001:db8:0:7'],
    ['2001:db8::9', 4, '2001:db8:0:0'],
    ['::1', 3, '0:0:0'],
    ['fe80::1%eth0', 4, 'fe80:0:0:0'],
    ['2001:db8:1:2:3:4:198.51.100.7', 8, '2001:db8:1:2:3:4:c633:6407'],
    ['198.51.100.7', 4, undefined],
    ['2001:db8::1::2', 4, undefined],
    ['', 4, undefined],
  ] as const) {
    it(`are ${groups} of ${count} of "${address}"`, () => expect(ipv6Groups(address, count)).to.equal(groups))
  }
})
