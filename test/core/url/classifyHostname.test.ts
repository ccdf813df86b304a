import { classifyHostname, HOSTNAME_REASONS } from '@svc/core/url/classifyHostname.ts'
import { normaliseUrl } from '@svc/core/url/url.ts'
import { expect } from 'chai'

const PUBLIC = [
  'acme.io',
  'api.acme.io',
  'API.Acme.IO.',
  'a-b.c-d.co.uk',
  '1.acme.io',
  '3com.com',
  'xn--bcher-kva.de',
  'acme.xn--p1ai',
  'localhost.acme.io',
  'local.com',
  'mylocalhost.com',
  'myexample.com',
  'example.com.acme.io',
  'internal.acme.io',
  'test.acme.io',
  'example.io',
  `${'a'.repeat(63)}.io`,
]

const REFUSED: { readonly [Why in keyof typeof HOSTNAME_REASONS]: readonly string[] } = {
  localhost: ['localhost', 'LOCALHOST.', 'api.localhost', 'localhost.localdomain'],
  ipLiteral: [
    '127.0.0.1',
    '8.8.8.8',
    '8.8.8.8.',
    '[::1]',
    '::1',
    '[2001:db8::1]',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.1',
    '0x7f.0.0.0x1',
    '1.2.3.4.5',
    'acme.0x',
  ],
  singleLabel: ['acme', 'intranet-wiki', 'com', 'xn--bcher-kva'],
  malformed: [
    '',
    '.',
    '.io',
    'acme..io',
    'acme.io..',
    '-acme.io',
    'acme-.io',
    'ac_me.io',
    'ac me.io',
    'acme.i',
    'acme.i0',
    'acme.*',
    '*.acme.io',
    'bücher.de',
    'xn--a.io',
    'xn--abc-x.xn--bcher-kva.io',
    'acme.xn--zz9zz9',
    'acme.io/x',
    `${'a'.repeat(64)}.io`,
    `${'a'.repeat(62)}.${'a'.repeat(62)}.${'a'.repeat(62)}.${'a'.repeat(62)}.io`,
  ],
  local: ['printer.local', 'local', 'a.b.local'],
  internal: [
    'vm.internal',
    'metadata.google.internal',
    'nas.home.arpa',
    'wiki.corp',
    'router.lan',
    'intranet',
  ],
  reserved: [
    'example.com',
    'api.example.com',
    'example.net',
    'www.example.org',
    'shop.test',
    'shop.example',
    'shop.invalid',
    'facebookcorewwwi.onion',
    'name.alt',
    '1.0.0.127.in-addr.arpa',
  ],
}

describe('classifyHostname', () => {
  for (const host of PUBLIC) {
    it(`accepts ${host} as public`, () => {
      expect(classifyHostname(host)).to.deep.equal({ public: true })
    })
  }

  for (const [why, hosts] of Object.entries(REFUSED)) {
    const reason = Object.entries(HOSTNAME_REASONS).find(([name]) => name === why)?.[1]
    for (const host of hosts) {
      it(`rejects ${JSON.stringify(host.slice(0, 40))} as ${reason}`, () => {
        expect(classifyHostname(host)).to.deep.equal({ public: false, reason })
      })
    }
  }

  it('names every reason with the prefix of the specification', () => {
    for (const reason of Object.values(HOSTNAME_REASONS)) expect(reason).to.match(/^url_hostname_[a-z_]+$/)
  })

  it('classifies what normaliseUrl makes of disguised numbers and full-width letters', () => {
    const disguised = [
      'http://2130706433',
      'http://0x7f.1',
      'http://ｌｏｃａｌｈｏｓｔ',
      'http://①②⑦.0.0.1',
      'http://[::ffff:7f00:1]',
    ]
    for (const text of disguised) {
      const normalised = normaliseUrl(text)
      expect(normalised.ok && classifyHostname(normalised.host).public, text).to.equal(false)
      expect(normalised.ok).to.equal(true)
    }
  })
})
