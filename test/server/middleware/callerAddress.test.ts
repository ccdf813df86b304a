import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { createCallerAddress } from '../../../server/middleware/callerAddress.ts'
import type { Route } from '../../../server/middleware/serve.ts'
import { serveRoutes } from '../../harness/service/serveRoutes.ts'

const PROXIES = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']

describe('the address of a caller', () => {
  const addressOf = (remoteAddress: string, forwarded?: string, proxies: readonly string[] = PROXIES) =>
    createCallerAddress(proxies)({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage)

  for (const [what, peer, forwarded, address] of [
    ['is the peer’s where no proxy has spoken', '203.0.113.1', undefined, '203.0.113.1'],
    ['is the peer’s whatever a stranger says', '203.0.113.1', '198.51.100.7', '203.0.113.1'],
    ['is what a trusted proxy says', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['is the nearest that is no proxy', '127.0.0.1', '6.6.6.6, 198.51.100.7, 10.0.0.9', '198.51.100.7'],
    ['is the first of a list of proxies alone', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['is that of a proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
    ['is that of a proxy that says nonsense', '127.0.0.1', '198.51.100.7, unknown', '127.0.0.1'],
    ['is without the port of some proxies', '127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['is without brackets and port', '127.0.0.1', '[2001:db8:0:7::1]:443', '2001:db8:0:7::'],
    ['is without brackets', '127.0.0.1', '[2001:db8:0:7::1]', '2001:db8:0:7::'],
    ['is reported as IPv4', '::ffff:10.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['is reported as IPv4 in any spelling', '::FFFF:a00:1', '0:0:0:0:0:ffff:c633:6407', '198.51.100.7'],
    ['may be of the new family', 'fd00::1', '2001:db8:0:7::1', '2001:db8:0:7::'],
    ['is one for all that a host has', '2001:DB8:0:07:1:2:3:4', undefined, '2001:db8:0:7::'],
    ['is one for all of a short network', '2001:db8::9', undefined, '2001:db8:0:0::'],
    ['is one for all of a link', 'fe80::1%eth0', undefined, 'fe80:0:0:0::'],
    ['is its own where a network translates', '64:ff9b::198.51.100.7', undefined, '64:ff9b::198.51.100.7'],
  ] as const) {
    it(what, () => expect(addressOf(peer, forwarded)).to.equal(address))
  }

  it('is reported once as missing if a trusted proxy sends something else', () => {
    let reports = 0
    const find = createCallerAddress(PROXIES, () => {
      reports += 1
    })
    const ask = (peer: string, forwarded?: string) =>
      find({
        socket: { remoteAddress: peer },
        headers: { 'x-forwarded-for': forwarded },
      } as unknown as IncomingMessage)
    ask('203.0.113.1', 'unknown')
    ask('127.0.0.1')
    ask('127.0.0.1', '198.51.100.7')
    expect(reports).to.equal(0)
    ask('127.0.0.1', 'unknown')
    ask('127.0.0.1', 'unknown')
    expect(reports).to.equal(1)
  })

  it('is the peer’s if no proxy is trusted', () => {
    expect(addressOf('127.0.0.1', '198.51.100.7', [])).to.equal('127.0.0.1')
    expect(addressOf('2001:db8:0:7::1', '198.51.100.7', [])).to.equal('2001:db8:0:7::')
    expect(addressOf('::ffff:203.0.113.1', undefined, [])).to.equal('203.0.113.1')
  })

  it('trusts a network of IPv4 proxies that is written in IPv6 form', () => {
    for (const proxies of [['::ffff:10.0.0.0/104'], ['::ffff:10.1.2.3']]) {
      expect(addressOf('10.1.2.3', '198.51.100.7', proxies)).to.equal('198.51.100.7')
      expect(addressOf('11.1.2.3', '198.51.100.7', proxies)).to.equal('11.1.2.3')
    }
  })

  it('is the key of budgets', async () => {
    const route: Route = {
      method: 'GET',
      path: '/api/known',
      access: 'anyone',
      budget: 'public',
      handler: ({ ip }) => ({ body: { success: true, ip } }),
    }
    const served = await serveRoutes([route], { max: 2, trustedProxies: ['127.0.0.1'] })
    const statusFor = async (forwarded: string) =>
      (await fetch(`${served.url}/api/known`, { headers: { 'x-forwarded-for': forwarded } })).status
    try {
      const seen = [
        await statusFor('198.51.100.7'),
        await statusFor('198.51.100.7'),
        await statusFor('198.51.100.7'),
      ]
      expect(seen).to.deep.equal([200, 200, 429])
      expect(await statusFor('198.51.100.8')).to.equal(200)
    } finally {
      await served.stop()
    }
  })
})
