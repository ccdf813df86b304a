import { compileResourceRules } from '@svc/core/glob/compileResourceRules.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const refuses = (resource: string, allowed: string[], denied: string[]) =>
  compileResourceRules(allowed, denied)(resource, decodeResource(resource))

describe('resource rules', () => {
  it('allow everything without globs, and refuse with a boolean', () => {
    expect(compileResourceRules([], [])('/a', '/a')).to.equal(false)
    expect(compileResourceRules(['/a'], [])('/a', '/a')).to.equal(false)
    expect(compileResourceRules(['/a'], [])('/b', '/b')).to.equal(true)
    expect(compileResourceRules([], ['/a'])('/b', '/b')).to.equal(false)
    expect(compileResourceRules([], ['/a'])('/%61', '/a')).to.equal(true)
    expect(compileResourceRules(['/%61'], ['/b'])('/%61', '/a')).to.equal(false)
  })

  const dots = fc.constantFrom('.', '%2e', '%2E', '%252e', '%25252E')
  const traversal = fc
    .tuple(
      fc.constantFrom('', '/', 'a/', '/a/'),
      fc.array(dots, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', '/', '/b', '%2fb', ';v=1', '?x=1', '#x', '%3fx', '%23'),
    )
    .map(([before, segment, after]) => `${before}${segment.join('')}${after}`)

  it('let a traversal, however encoded, match no allowing rule and every denying one', () => {
    const refusesAllowed = compileResourceRules(['**'], [])
    const refusesDenied = compileResourceRules([], ['/nothing/like/it'])
    fc.assert(
      fc.property(traversal, (resource) => {
        const plain = decodeResource(resource)
        expect(plain, resource).to.equal(undefined)
        expect(refusesAllowed(resource, plain)).to.equal(true)
        expect(refusesDenied(resource, plain)).to.equal(true)
      }),
    )
  })

  it('deny a denied resource however its letters are encoded', () => {
    const refuses = compileResourceRules(['**'], ['/admin/**'])
    const encode = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 5, maxLength: 5 }), (times) => {
        const name = [...'admin'].map((letter, index) => {
          if (times[index] === 0) return letter
          return times[index] === 1 ? encode(letter) : encode(letter).replace('%', '%25')
        })
        const resource = `/${name.join('')}/users`
        expect(refuses(resource, decodeResource(resource)), resource).to.equal(true)
      }),
    )
  })

  it('refuse a resource that matches the allowed globs only while it is encoded', () => {
    expect(refuses('/orders/a%2fb', ['/orders/*'], [])).to.equal(true)
    expect(refuses('/orders/a%2fb', ['/orders/**'], [])).to.equal(false)
    expect(refuses('/caf%C3%A9/1', ['/caf%C3%A9/*'], [])).to.equal(false)
  })

  it('deny every spelling that a lenient router leads to a denied path', () => {
    const denied = ['/secret/**', '/admin', '/Reports/*', '/caf%C3%A9']
    for (const resource of [
      ...['/SECRET/1', '/secret', '/Secret/', '//secret/a', '/secret//a', '/secret;v=1', '/secret;v=1/a'],
      ...['/secret?x=1', '/secret/a?x#y', '/secret#top', '/%53ecret/a', '/secret%2Fa', '/secret%3Fx'],
      ...['https://shop.example/secret/a', 'HTTP://shop.example//Secret;x', '//shop.example/secret/a'],
      ...[
        'http:///secret/1',
        'http:///shop.example/secret/1',
        'http:/secret/1',
        'https:secret',
        'foo://secret/admin',
      ],
      ...[
        'http://shop.example:99999/secret/1',
        '/admin\u00a0',
        '/admin ',
        '/%52eports/a%2fb',
        '/REPORTS/a%25%32%66b',
      ],
      ...['/admin/', '/ADMIN', '//admin//', '/admin;x/y', '/reports/1', '/REPORTS/1/', '/café', '/CAFÉ/'],
    ]) {
      expect(refuses(resource, ['**'], denied), resource).to.equal(true)
    }
    for (const resource of [
      '/',
      '/secrets',
      '/administrator',
      '/a/secret',
      '/x?next=/secret/1',
      '/reports',
    ]) {
      expect(refuses(resource, [], denied), resource).to.equal(false)
    }
  })

  it('deny what a denied glob says literally, also in its own letter case', () => {
    expect(refuses('/A;b', [], ['/A;b'])).to.equal(true)
    expect(refuses('/a', [], ['/[!A]'])).to.equal(true)
    expect(refuses('/x/ΟΔΟΣ/1', [], ['/x/οδοσ/*'])).to.equal(true)
    expect(refuses('/a/b', [], ['/a%2Ab'])).to.equal(false)
  })

  it('let a dot segment with parameters match no allowed glob', () => {
    expect(refuses('/orders/..;/secret', ['/orders/**'], [])).to.equal(true)
    expect(refuses('/orders/..x/secret', ['/orders/**'], [])).to.equal(false)
  })

  const AUDITED = ` https:%2f%2fh;x${'a'.repeat(1_700)};p%3bq%3fz?q;z%23k#r;y%20 `

  it('decide the longest resources by the longest globs before a test times out', () => {
    const fill = (make: (at: number) => string) => Array.from({ length: 100 }, (_, at) => make(at))
    const lists = [
      fill((at) => `*${'a'.repeat(180)}{b,c,d,e,f,g,h,i}!${at}`),
      fill((at) => `${'*a'.repeat(250)}!${at}`),
      fill((at) => `**/*${'a?'.repeat(240)}{a,b}{a,b}!${at}`),
      fill((at) => `${'**/?/'.repeat(100)}!${at}`),
      fill((at) => `*${'[!bc]'.repeat(100)}!${at}`),
    ]
    const resources = [
      AUDITED,
      'a'.repeat(2_048),
      `${'a/'.repeat(1_000)};x//?q#r%20`,
      `A${'a'.repeat(1_900)}?%2f%20;x`,
    ]
    for (const globs of lists) {
      const rules = [
        compileResourceRules(globs, []),
        compileResourceRules([], globs, Number.POSITIVE_INFINITY),
      ]
      for (const resource of resources) {
        const plain = decodeResource(resource)
        expect(rules.map((refuses) => refuses(resource, plain))).to.deep.equal([true, false])
      }
    }
  })

  it('deny a resource whose readings are too long altogether, if anything is denied', () => {
    expect(refuses(AUDITED, ['**'], ['/nothing/like/it'])).to.equal(true)
    expect(refuses(AUDITED, ['**'], [])).to.equal(false)
    const honest = `https://files.shop.example/a%2fb%20c?X-Amz-Signature=${'0'.repeat(1_400)}#top`
    expect(refuses(honest, [], ['/nothing/like/it'])).to.equal(false)
    expect(refuses(honest, [], ['/a/b c'])).to.equal(true)
  })
})
