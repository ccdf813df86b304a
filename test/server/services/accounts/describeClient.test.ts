import { expect } from 'chai'
import { describeClient } from '../../../../server/services/accounts/describeClient.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('sessionClient', () => {
  for (const [userAgent, browser] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      'Chrome on Windows',
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge on Windows'],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`,
      'Safari on iOS',
    ],
    [`Mozilla/5.0 (Linux; Android 15; K) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['curl/8.5.0', null],
    [undefined, null],
  ] as const) {
    it(`calls ${userAgent?.slice(0, 60)} ${browser}`, () => {
      expect(describeClient({ ip: '', userAgent }).browser).to.equal(browser)
    })
  }

  for (const [ip, network] of [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:aa:1::7', '2001:db8:aa::/48'],
    ['2001:0db8:00aa:1:2:3:4:5', '2001:db8:aa::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['', null],
  ] as const) {
    it(`stores ${network} for ${ip}`, () => {
      expect(describeClient({ ip, userAgent: undefined }).network).to.equal(network)
    })
  }
})
