import { normaliseUrl, parseUrl } from '@svc/core/url/url.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { anyText } from '../../harness/values/anyText.ts'

describe('parseUrl', () => {
  it('returns what URL.parse does', () => {
    const text = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.ipV6())
    fc.assert(
      fc.property(text, (one) => {
        expect(parseUrl(one)?.href).to.equal(URL.parse(one)?.href)
      }),
    )
  })
})

/** [what is given, the one spelling, its host] */
const NORMALISED: readonly (readonly [string, string, string])[] = [
  ['https://api.acme.io', 'https://api.acme.io', 'api.acme.io'],
  ['HTTPS://API.Acme.IO/Orders', 'https://api.acme.io/Orders', 'api.acme.io'],
  ['https://api.acme.io/', 'https://api.acme.io', 'api.acme.io'],
  ['https://api.acme.io/v1/', 'https://api.acme.io/v1', 'api.acme.io'],
  ['https://api.acme.io/v1///', 'https://api.acme.io/v1', 'api.acme.io'],
  ['https://api.acme.io//v1', 'https://api.acme.io//v1', 'api.acme.io'],
  ['https://api.acme.io:443/v1', 'https://api.acme.io/v1', 'api.acme.io'],
  ['http://api.acme.io:80', 'http://api.acme.io', 'api.acme.io'],
  ['http://api.acme.io:443/', 'http://api.acme.io:443', 'api.acme.io'],
  ['https://api.acme.io:08443/', 'https://api.acme.io:8443', 'api.acme.io'],
  ['https://api.acme.io/v1?key=secret#top', 'https://api.acme.io/v1', 'api.acme.io'],
  ['https://api.acme.io?x=1', 'https://api.acme.io', 'api.acme.io'],
  ['https://api.acme.io./v1', 'https://api.acme.io/v1', 'api.acme.io'],
  ['https://api.acme.io/a/./b/../c', 'https://api.acme.io/a/c', 'api.acme.io'],
  ['https://api.acme.io/a/%2e%2E/c', 'https://api.acme.io/c', 'api.acme.io'],
  ['https://api.acme.io/%61%2fb%c3%a9', 'https://api.acme.io/a%2Fb%C3%A9', 'api.acme.io'],
  ['https://api.acme.io/é', 'https://api.acme.io/%C3%A9', 'api.acme.io'],
  ['https://bücher.de/x', 'https://xn--bcher-kva.de/x', 'xn--bcher-kva.de'],
  ['https://BÜCHER.de', 'https://xn--bcher-kva.de', 'xn--bcher-kva.de'],
  ['https://ａｃｍｅ.io', 'https://acme.io', 'acme.io'],
  ['https://acme。io', 'https://acme.io', 'acme.io'],
  ['http://2130706433/', 'http://127.0.0.1', '127.0.0.1'],
  ['http://0x7f.1/', 'http://127.0.0.1', '127.0.0.1'],
  ['http://0177.0.0.1', 'http://127.0.0.1', '127.0.0.1'],
  ['http://[::FFFF:10.0.0.1]:8080/', 'http://[::ffff:a00:1]:8080', '[::ffff:a00:1]'],
  ['http://localhost:3000/', 'http://localhost:3000', 'localhost'],
]

const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'malformed'],
  ['api.acme.io', 'malformed'],
  ['//api.acme.io', 'malformed'],
  ['/v1', 'malformed'],
  ['https:', 'malformed'],
  ['https://', 'malformed'],
  ['https:///v1', 'malformed'],
  ['https:api.acme.io', 'malformed'],
  ['https:/api.acme.io', 'malformed'],
  ['https:\\\\api.acme.io', 'malformed'],
  ['https://api.acme.io\\@evil.io', 'malformed'],
  ['https://api.acme.io/a b', 'malformed'],
  [' https://api.acme.io', 'malformed'],
  ['https://api.ac\tme.io', 'malformed'],
  ['https://api.acme.io/\u0000', 'malformed'],
  ['https://api.acme.io:99999', 'malformed'],
  ['https://api.acme.io:https', 'malformed'],
  ['https://[::1', 'malformed'],
  ['https://a<b.io', 'malformed'],
  ['https://.', 'malformed'],
  ['https://1.2.3.4.5', 'malformed'],
  ['https://acme.io..', 'malformed'],
  ['https://user@api.acme.io', 'userinfo'],
  ['https://user:password@api.acme.io', 'userinfo'],
  ['https://:password@api.acme.io', 'userinfo'],
  ['https://api.acme.io@evil.io', 'userinfo'],
  ['ftp://api.acme.io', 'scheme_not_http'],
  ['wss://api.acme.io', 'scheme_not_http'],
  ['javascript:alert(1)', 'scheme_not_http'],
  ['file:///etc/passwd', 'scheme_not_http'],
  [`https://api.acme.io/${'a'.repeat(2029)}`, 'too_long'],
  [`https://api.acme.io/${'é'.repeat(400)}`, 'too_long'],
]

describe('normaliseUrl', () => {
  for (const [text, url, host] of NORMALISED) {
    it(`normalises ${text} to ${url}`, () => {
      expect(normaliseUrl(text)).to.deep.equal({ ok: true, url, host })
    })
  }

  for (const [text, reason] of REFUSED) {
    it(`rejects ${JSON.stringify(text.slice(0, 40))} as ${reason}`, () => {
      expect(normaliseUrl(text)).to.deep.equal({ ok: false, reason })
    })
  }

  it('accepts 2,048 characters', () => {
    const text = `https://api.acme.io/${'a'.repeat(2028)}`
    expect(normaliseUrl(text)).to.deep.equal({ ok: true, url: text, host: 'api.acme.io' })
  })

  it('is idempotent', () => {
    const path = fc.array(
      fc.constantFrom('/', '.', '..', '%2e', '%25', '%6', '%', 'a', 'É', '?', '#', ':', '@', '😀'),
    )
    const host = fc.constantFrom('acme.io', 'ACME.io.', 'bücher.de', '[::1]', '0x7f.1', 'a..b', 'a.', 'x..')
    const port = fc.constantFrom('', ':', ':80', ':443', ':8080')
    fc.assert(
      fc.property(fc.constantFrom('http', 'https'), host, port, path, (scheme, name, number, steps) => {
        const first = normaliseUrl(`${scheme}://${name}${number}/${steps.join('')}`)
        if (first.ok) expect(normaliseUrl(first.url)).to.deep.equal(first)
      }),
      { numRuns: 1_000 },
    )
  })

  it('throws for no text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), anyText()), (text) => {
        const normalised = normaliseUrl(text)
        if (normalised.ok) expect(normalised.url).to.match(/^https?:\/\/[^/?#@]+(\/[^?#]*[^/?#])?$/)
      }),
    )
  })
})
