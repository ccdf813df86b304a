import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { expect } from 'chai'

describe('plainResource', () => {
  it('ordinary names are read as they are', () => {
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

  it('control characters of both ranges are never read', () => {
    for (const code of [0, 31, 127, 128, 159]) {
      expect(decodeResource(`/a${String.fromCharCode(code)}`), String(code)).to.equal(undefined)
    }
  })
})
