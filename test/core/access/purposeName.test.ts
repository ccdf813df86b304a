import { purposeName } from '@svc/core/access/verificationRequest.ts'
import { expect } from 'chai'

describe('purposeName', () => {
  const nameOf = (category?: string, action?: string) => ({
    category,
    action,
    qualifiedAction: category !== undefined && action !== undefined ? `${category}.${action}` : undefined,
  })

  it('takes category and action apart, in any case, at the colon before the dot', () => {
    expect(purposeName(undefined, undefined)).to.deep.equal(nameOf())
    expect(purposeName('Shopping', undefined)).to.deep.equal(nameOf('shopping'))
    expect(purposeName('Shopping:Buy', undefined)).to.deep.equal(nameOf('shopping', 'buy'))
    expect(purposeName('shopping.buy', undefined)).to.deep.equal(nameOf('shopping', 'buy'))
    expect(purposeName('a.b:c.d', undefined)).to.deep.equal(nameOf('a.b', 'c.d'))
    expect(purposeName(':buy', undefined)).to.deep.equal(nameOf(undefined, 'buy'))
    expect(purposeName('shopping:', undefined)).to.deep.equal(nameOf('shopping'))
    expect(purposeName('.buy', undefined)).to.deep.equal(nameOf(undefined, 'buy'))
  })

  it('lets the action override, with or without its category', () => {
    expect(purposeName('shopping:buy', 'Return')).to.deep.equal(nameOf('shopping', 'return'))
    expect(purposeName(undefined, 'Return')).to.deep.equal(nameOf(undefined, 'return'))
    expect(purposeName(undefined, 'shopping.return')).to.deep.equal(nameOf('shopping', 'return'))
    expect(purposeName('SHOPPING', 'shopping:return')).to.deep.equal(nameOf('shopping', 'return'))
  })

  it('does not guess between two categories', () => {
    expect(purposeName('shopping', 'travel.return')).to.equal(undefined)
  })

  it('is the same again after thousands of others', () => {
    const wanted = nameOf('shopping', 'buy')
    for (let nth = 0; nth < 2_500; nth += 1) {
      expect(purposeName(`kind${nth}:buy`, undefined)).to.deep.equal(nameOf(`kind${nth}`, 'buy'))
      if (nth % 500 === 0) expect(purposeName('shopping:buy', undefined)).to.deep.equal(wanted)
    }
  })
})
