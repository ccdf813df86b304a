import { listContainingUrls } from '@svc/core/url/listContainingUrls.ts'
import { expect } from 'chai'

describe('listContainingUrls', () => {
  it('lists the origin, every path above, and the URL itself, over both schemes', () => {
    expect(listContainingUrls('https://a.io/b/c')).to.deep.equal([
      ...['https://a.io', 'http://a.io', 'https://a.io/b', 'http://a.io/b'],
      ...['https://a.io/b/c', 'http://a.io/b/c'],
    ])
    expect(listContainingUrls('http://a.io:81')).to.deep.equal(['http://a.io:81', 'https://a.io:81'])
  })

  it('is bounded, and always has the URL itself', () => {
    const url = `https://a.io${'/x'.repeat(500)}`
    expect(listContainingUrls(url))
      .to.have.length(2 * 66)
      .and.include(url)
  })
})
