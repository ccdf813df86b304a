import { parseIpList } from '@svc/core/platforms/ipPrefix.ts'
import { expect } from 'chai'

const list = (...prefixes: object[]) => JSON.stringify({ creationTime: '2026-11-01T00:00:00', prefixes })

describe('parseIpList', () => {
  it('reads blocks of both families', () => {
    expect(
      parseIpList(list({ ipv4Prefix: '20.15.240.64/28' }, { ipv6Prefix: '2001:4860:4801:10::/64' })),
    ).to.deep.equal([
      { address: '20.15.240.64', bits: 28, family: 'ipv4' },
      { address: '2001:4860:4801:10::', bits: 64, family: 'ipv6' },
    ])
  })

  it('reads an address without length as a single address', () => {
    expect(parseIpList(list({ ipv4Prefix: '1.2.3.4' }))?.[0]?.bits).to.equal(32)
  })

  for (const [what, text] of [
    ['no JSON', 'prefixes'],
    ['another document', '{"keys":[]}'],
    ['an empty list', list()],
    ['a block without address', list({ ipv4Prefix: 'x/8' })],
    ['a length past the family', list({ ipv4Prefix: '1.2.3.4/33' })],
    ['all addresses', list({ ipv4Prefix: '0.0.0.0/0' })],
    ['a block larger than any operator has', list({ ipv6Prefix: '2000::/3' })],
    ['one bad block among good ones', list({ ipv4Prefix: '1.2.3.4/32' }, { ipv4Prefix: '1.2.3' })],
  ] as const) {
    it('reads a block of IPv4 addresses in IPv6 form as IPv4', () => {
      expect(parseIpList(list({ ipv6Prefix: '::ffff:192.0.2.0/120' }))).to.deep.equal([
        { address: '192.0.2.0', bits: 24, family: 'ipv4' },
      ])
      expect(parseIpList(list({ ipv6Prefix: '::ffff:192.0.2.0/96' }))).to.equal(undefined)
    })

    it(`rejects ${what}`, () => expect(parseIpList(text)).to.equal(undefined))
  }
})
