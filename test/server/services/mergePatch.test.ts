import { expect } from 'chai'
import { mergePatch } from '../../../server/services/mergePatch.ts'

/** The test cases of RFC 7396, appendix A. */
const CASES: [target: unknown, patch: unknown, result: unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

describe('mergePatch', () => {
  for (const [target, patch, result] of CASES) {
    it(`returns ${JSON.stringify(result)} for ${JSON.stringify(target)} and ${JSON.stringify(patch)}`, () => {
      expect(mergePatch(target, patch)).to.deep.equal(result)
    })
  }

  it('treats __proto__ as a member like any other', () => {
    const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
    expect(Object.keys(Object(merged))).to.deep.equal(['__proto__'])
    expect(Object.getPrototypeOf(merged)).to.equal(Object.prototype)
  })
})
