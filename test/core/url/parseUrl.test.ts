import { parseUrl } from '@svc/core/url/url.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('parseUrl', () => {
  it('answers what URL.parse does', () => {
    const text = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string(), fc.ipV6())
    fc.assert(
      fc.property(text, (one) => {
        expect(parseUrl(one)?.href).to.equal(URL.parse(one)?.href)
      }),
    )
  })
})
