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

  it('never accepts control characters of either range', () => {
    for (const code of [0, 31, 127, 128, 159]) {
      expect(decodeResource(`/a${String.fromCharCode(code)}`), String(code)).to.equal(undefined)
    }
  })
})
