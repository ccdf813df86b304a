import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { expect } from 'chai'

describe('decodeResource', () => {
  it('returns ordinary names unchanged', () => {
    for (const resource of [
      '/a/b',
      'a.b',
      '...',
      '/.well-known/x',
      'https://x/y',
      '/a?b=..',
      '/a..?b',
      '/a/b.',
      'ü/🛒',
      '100%',
      '',
    ]) {
      expect(decodeResource(resource), resource).to.equal(resource)
    }
    expect(decodeResource('/a%20b')).to.equal('/a b')
    expect(decodeResource('/a\u00a0b')).to.equal('/a\u00a0b')
  })

  it('decodes repeatedly, up to its limit, and whole characters', () => {
    for (const [resource, plain] of [
      ['/%e4%b8%ad', '/中'],
      ['/%2561', '/a'],
      ['/%252561', '/a'],
      ['/%2', '/%2'],
      ['/%zz', '/%zz'],
      ['/%4', '/%4'],
      ['/100%/%61', '/100%/a'],
      ['/%ff', undefined],
      ['/%e4%b8', undefined],
      ['/%00', undefined],
      ['/%5c', undefined],
      [`/%${'25'.repeat(30)}61`, undefined],
    ] as const) {
      expect(decodeResource(resource), resource).to.equal(plain)
    }
  })

  it('never accepts control characters of either range', () => {
    for (const code of [0, 31, 127, 128, 159]) {
      expect(decodeResource(`/a${String.fromCharCode(code)}`), String(code)).to.equal(undefined)
    }
  })
})
