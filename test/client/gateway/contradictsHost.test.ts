import { contradictsHost } from '@svc/client/gateway/contradictsHost.ts'
import { expect } from 'chai'

describe('contradictsHost', () => {
  it('is false for a target of any form that names the host of the request', () => {
    for (const [target, host] of [
      ['/a?b', 'shop.io'],
      ['//evil.io/a', 'shop.io'],
      ['*', 'shop.io'],
      ['a/b', 'shop.io'],
      ['http://shop.io/a', 'shop.io'],
      ['http://shop.io?a', 'shop.io:80'],
      ['HTTPS://SHOP.io:443', 'Shop.IO'],
      ['http://shop.io:8080/@a', 'shop.io:8080'],
      ['http://[::1]:81/', '[0::1]:81'],
      ['https://evil.io/a', undefined],
    ] as const) {
      expect(contradictsHost(target, host), target).to.equal(false)
    }
  })

  it('is true for another host or port, for a user, and for a URL that can be read in several ways', () => {
    for (const target of [
      ...['http://evil.io/a', 'http://shop.io:8080/', 'http://shop.io.evil.io/', 'https://shop.io:80/'],
      ...['http://a:b@shop.io/', 'http://@shop.io/', 'http://evil.io@shop.io/', 'http://shop.io\\@evil.io/'],
      ...['http:///shop.io/', 'http:/shop.io/', 'http:shop.io', 'http://', 'http://shop.io:99999/'],
      ...['\u00a0http://evil.io/', 'urn:a'],
    ]) {
      expect(contradictsHost(target, 'shop.io'), target).to.equal(true)
    }
    expect(contradictsHost('http://shop.io/', '')).to.equal(true)
    expect(contradictsHost('http://shop.io/', 'shop.io, evil.io')).to.equal(true)
    for (const target of ['http://shop.io/', 'http:', 'urn:a', 'urn:///a']) {
      expect(contradictsHost(target, ''), target).to.equal(true)
    }
  })
})
