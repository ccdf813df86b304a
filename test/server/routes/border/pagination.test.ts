import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../../server/errors.ts'
import { readPage, readTimedPage, writePage } from '../../../../server/routes/border/pagination.ts'

describe('pagination', () => {
  it('begins with the newest 25 items by default', () => {
    expect(readPage(new URLSearchParams())).to.deep.equal({ limit: 25, before: null })
  })

  it('reads every cursor that it wrote', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e15 - 1 }), fc.integer({ min: 1, max: 100 }), (before, limit) => {
        const { nextCursor, hasMore } = writePage({ items: [], nextBefore: before })
        expect(hasMore).to.equal(true)
        const query = new URLSearchParams({ cursor: nextCursor ?? '', limit: String(limit) })
        expect(readPage(query)).to.deep.equal({ limit, before })
      }),
    )
  })

  it('reads every cursor of a list that is ordered by time, and only there', () => {
    const id = fc.stringMatching(/^[\w.-]{1,100}$/)
    fc.assert(
      fc.property(fc.nat({ max: 1e15 - 1 }), id, (at, id) => {
        const { nextCursor } = writePage({ items: [], nextBefore: { at, id } })
        const query = new URLSearchParams({ cursor: nextCursor ?? '' })
        expect(readTimedPage(query)).to.deep.equal({ limit: 25, before: { at, id } })
        expect(() => readPage(query)).to.throw(ApiError)
      }),
    )
    for (const cursor of ['MTI', '']) {
      expect(() => readTimedPage(new URLSearchParams({ cursor }))).to.throw(ApiError)
    }
  })

  it('marks the end of the list', () => {
    expect(writePage({ items: [1], nextBefore: null })).to.deep.equal({
      success: true,
      items: [1],
      nextCursor: null,
      hasMore: false,
    })
  })

  for (const query of [
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1.5',
    'cursor=',
    'cursor=MTI*',
    'cursor=LTE',
  ]) {
    it(`rejects ${query} and names the parameter`, () => {
      const read = () => readPage(new URLSearchParams(query))
      expect(read).to.throw(ApiError).that.has.property('code', 'VALIDATION_ERROR')
      expect(read)
        .to.throw(ApiError)
        .with.nested.property('errors[0].pointer', `/${query.split('=')[0]}`)
    })
  }
})
