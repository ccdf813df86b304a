import { BlockList, isIP } from 'node:net'
import {
  isPrivateAddress,
  networkOf,
  normaliseIpAddress,
  siteOf,
  takeIpv6Groups,
} from '@svc/core/url/ipAddress.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('an IP address', () => {
  for (const [text, address] of [
    ['192.0.2.1', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:1', '::ffff:1'],
    ['fe80::1%eth0', undefined],
    ['192.0.2.1, 198.51.100.1', undefined],
    ['192.0.2.1:443', undefined],
    ['unknown', undefined],
    ['', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${address ?? 'none'}`, () => {
      expect(normaliseIpAddress(text)).to.equal(address)
    })
  }
})

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
    it(`are ${groups} of ${count} of "${address}"`, () =>
      expect(takeIpv6Groups(address, count)).to.equal(groups))
  }
})

describe('the network of an address', () => {
  for (const [address, network] of [
    ['198.51.100.7', '198.51.100.0/24'],
    ['::ffff:198.51.100.7', '198.51.100.0/24'],
    ['::ffff:c633:6407', '198.51.100.0/24'],
    ['64:ff9b::198.51.100.7', '198.51.100.0/24'],
    ['2001:DB8:0:7:1:2:3:4', '2001:db8:0::/48'],
    ['2001:db8:0:7::', '2001:db8:0::/48'],
    ['', ''],
  ] as const) {
    it(`is ${network} of "${address}"`, () => expect(networkOf(address)).to.equal(network))
  }
})

describe('the site of an address', () => {
  for (const [address, site] of [
    ['198.51.100.7', '198.51.100.7'],
    ['2001:DB8:0:7:1:2:3:4', '2001:db8:0::/48'],
    ['2001:db8:0:ffff::', '2001:db8:0::/48'],
    ['2001:db8:1::', '2001:db8:1::/48'],
    ['', ''],
  ] as const) {
    it(`is ${site} of "${address}"`, () => expect(siteOf(address)).to.equal(site))
  }
})

/** First and last address of each special range, then its neighbours outside where they are public. */
const PRIVATE_V4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.9', '192.0.0.170', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
].flat()

const PUBLIC_V4 = [
  '1.0.0.0',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
]

const PRIVATE_V6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::7f00:1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::FFFF:7F00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:8.8.8.8',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '100:0:0:1::1',
  '1fff:ffff::',
  '2001::1',
  '2001:0:53aa:64c::1',
  '2001:2::1',
  '2001:20::1',
  '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db8::1',
  '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
  '2002::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
]

const PUBLIC_V6 = [
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2620:4f:8001::1',
  '3ffe:ffff::1',
  '3fff:1000::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
  '64:ff9b::808:808',
]

const NO_ADDRESS = [
  '',
  'localhost',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '8.8.8.08',
  '8.8.8.256',
  '8.8.8',
  '8.8.8.8.8',
  ' 8.8.8.8',
  '8.8.8.8\n',
  '+8.8.8.8',
  '[2606:4700:4700::1111]',
  '2606:4700:4700::1111::',
  '2606:4700:4700:0:0:0:0:0:1111',
  '2606:4700:4700:0:0:0:0::1111',
  '2606:4700:4700:1111',
  '2606:4700:47000::1',
  '2606:4700:::1',
  ':2606::1',
  '2606::1:',
  '2606::8.8.8.8.8',
  '2606:8.8.8.8::1',
  '2606::g',
  '2606::1%',
  '2606::1%a%b',
]

describe('isPrivateAddress', () => {
  for (const ip of [...PRIVATE_V4, ...PRIVATE_V6]) {
    it(`rejects ${ip}`, () => {
      expect(isPrivateAddress(ip)).to.equal(true)
      expect(isIP(ip)).to.not.equal(0)
    })
  }

  for (const ip of [...PUBLIC_V4, ...PUBLIC_V6]) {
    it(`accepts ${ip}`, () => {
      expect(isPrivateAddress(ip)).to.equal(false)
      expect(isIP(ip)).to.not.equal(0)
    })
  }

  for (const text of NO_ADDRESS) {
    it(`rejects ${JSON.stringify(text)}, which is not an address`, () => {
      expect(isPrivateAddress(text)).to.equal(true)
    })
  }

  it('reads any IPv6 spelling as the platform does', () => {
    const list = new BlockList()
    list.addSubnet('2606:4700::', 32, 'ipv6')
    const inside = fc
      .ipV6()
      .map((ip) => (ip.startsWith('::') ? ip : ip.replace(/^[0-9a-f]+:[0-9a-f]+/i, '2606:4700')))
    fc.assert(
      fc.property(inside, (ip) => {
        if (isIP(ip) === 6 && list.check(ip, 'ipv6')) expect(isPrivateAddress(ip), ip).to.equal(false)
      }),
    )
  })

  it('treats a mapped or translated address like the IPv4 address it carries', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPrivateAddress(`::ffff:${ip}`)).to.equal(isPrivateAddress(ip))
        expect(isPrivateAddress(`64:ff9b::${ip}`)).to.equal(isPrivateAddress(ip))
        expect(isPrivateAddress(`::${ip}`)).to.equal(true)
      }),
    )
  })

  it('never accepts as public what the platform does not parse as an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.%x') }), (text) => {
        if (isIP(text) === 0) expect(isPrivateAddress(text)).to.equal(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
