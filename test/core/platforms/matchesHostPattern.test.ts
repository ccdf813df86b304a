import { matchesHostPattern } from '@svc/core/platforms/ipPrefix.ts'
import { expect } from 'chai'

describe('matchesHostPattern', () => {
  const cases: [string, string, boolean][] = [
    ['crawl-66-249-66-1.googlebot.com', '*.googlebot.com', true],
    ['geo-crawl-1.geo.googlebot.com.', '*.googlebot.com', true],
    ['CRAWL-1.GoogleBot.com', '*.googlebot.com', true],
    ['googlebot.com', '*.googlebot.com', false],
    ['.googlebot.com', '*.googlebot.com', false],
    ['evilgooglebot.com', '*.googlebot.com', false],
    ['crawl.googlebot.com.evil.example', '*.googlebot.com', false],
    ['google-proxy-66-102-1-1.google.com', 'google-proxy-*.google.com', true],
    ['google-proxy-1.evil.google.com', 'google-proxy-*.google.com', false],
    ['google-proxy-.google.com', 'google-proxy-*.google.com', false],
    ['a.host.example', 'a.host.example', true],
    ['b.host.example', 'a.host.example', false],
    ['', '*.googlebot.com', false],
  ]
  for (const [host, pattern, expected] of cases) {
    it(`${expected ? 'accepts' : 'rejects'} ${JSON.stringify(host)} for ${pattern}`, () => {
      expect(matchesHostPattern(host, pattern)).to.equal(expected)
    })
  }
})
