import { readPurpose } from '@svc/core/access/readPurpose.ts'
import { expect } from 'chai'

describe('readPurpose', () => {
  const nameOf = (category?: string, action?: string) => ({
    category,
    action,
    qualifiedAction: category !== undefined && action !== undefined ? `${category}.${action}` : undefined,
  })

  it('splits category and action, in any case, at the colon before the dot', () => {
    expect(readPurpose(undefined, undefined)).to.deep.equal(nameOf())
    expect(readPurpose('Shopping', undefined)).to.deep.equal(nameOf('shopping'))
    expect(readPurpose('Shopping:Buy', undefined)).to.deep.equal(nameOf('shopping', 'buy'))
    expect(readPurpose('shopping.buy', undefined)).to.deep.equal(nameOf('shopping', 'buy'))
    expect(readPurpose('a.b:c.d', undefined)).to.deep.equal(nameOf('a.b', 'c.d'))
    expect(readPurpose(':buy', undefined)).to.deep.equal(nameOf(undefined, 'buy'))
    expect(readPurpose('shopping:', undefined)).to.deep.equal(nameOf('shopping'))
    expect(readPurpose('.buy', undefined)).to.deep.equal(nameOf(undefined, 'buy'))
  })

  it('lets the action override the purpose, with or without its category', () => {
    expect(readPurpose('shopping:buy', 'Return')).to.deep.equal(nameOf('shopping', 'return'))
    expect(readPurpose(undefined, 'Return')).to.deep.equal(nameOf(undefined, 'return'))
    expect(readPurpose(undefined, 'shopping.return')).to.deep.equal(nameOf('shopping', 'return'))
    expect(readPurpose('SHOPPING', 'shopping:return')).to.deep.equal(nameOf('shopping', 'return'))
  })

  it('does not guess between two categories', () => {
    expect(readPurpose('shopping', 'travel.return')).to.equal(undefined)
  })

  it('returns the same after thousands of other names', () => {
    const wanted = nameOf('shopping', 'buy')
    for (let nth = 0; nth < 2_500; nth += 1) {
      expect(readPurpose(`kind${nth}:buy`, undefined)).to.deep.equal(nameOf(`kind${nth}`, 'buy'))
      if (nth % 500 === 0) expect(readPurpose('shopping:buy', undefined)).to.deep.equal(wanted)
    }
  })
})
