import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import fc from 'fast-check'

/** IEEE 754 bits and their text. Source: RFC 8785, appendix B. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

/** The test data of the author of RFC 8785, with the bytes of the canonical form. */
const DOCUMENTS: { input: string; outputHex: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/standards/canonicalJson.json'), 'utf8'),
)

function doubleOf(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE()
}

/** The obvious way: sort a copy at every level and let the platform serialise it. */
function naiveTwin(value: unknown): unknown {
  if (Array.isArray(value)) return `[${value.map(naiveTwin).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${naiveTwin(member)}`).join(',')}}`
}

describe('canonicaliseJson', () => {
  describe('for what RFC 8785 prescribes', () => {
    for (const [bits, text] of NUMBERS) {
      it(`writes the double ${bits} as ${text}`, () => {
        expect(canonicaliseJson(doubleOf(bits))).to.equal(text)
      })
    }

    for (const [nth, { input, outputHex }] of DOCUMENTS.entries()) {
      it(`writes the bytes of document ${nth + 1} of its test data`, () => {
        const text = canonicaliseJson(JSON.parse(input))
        expect(Buffer.from(text).toString('hex')).to.equal(outputHex)
      })
    }

    it('escapes only what must be escaped, in lower-case hexadecimal', () => {
      const text = '€$\u000f\nA\'B"\\\\"/\u0000\u001b\b\t\f\r\u007f\u2028'
      expect(canonicaliseJson(text)).to.equal(
        `${String.raw`"€$\u000f\nA'B\"\\\\\"/\u0000\u001b\b\t\f\r`}\u007f\u2028"`,
      )
    })

    it('sorts members by UTF-16 code units, not by code points or locale', () => {
      const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6']
      const object = Object.fromEntries(names.map((name, i) => [name, i]))
      const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
      expect(Object.keys(JSON.parse(canonicaliseJson(object))).filter((name) => name !== '1')).to.deep.equal(
        order.filter((name) => name !== '1'),
      )
      expect(canonicaliseJson(object)).to.equal(
        `{${order.map((name) => `${JSON.stringify(name)}:${names.indexOf(name)}`).join(',')}}`,
      )
    })

    it('writes literals, nesting and empty containers without white space', () => {
      const value = {
        literals: [null, true, false],
        empty: {},
        list: [],
        numbers: [Number('333333333.33333329'), 1e30, 4.5],
      }
      expect(canonicaliseJson(value)).to.equal(
        '{"empty":{},"list":[],"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5]}',
      )
    })

    it('sorts names that look like array indexes as text', () => {
      expect(canonicaliseJson({ 10: 'a', 9: 'b', '': 'c' })).to.equal('{"":"c","10":"a","9":"b"}')
    })

    it('preserves a member called __proto__, and accepts objects without a prototype', () => {
      expect(canonicaliseJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).to.equal(
        '{"__proto__":{"a":2},"b":1}',
      )
      expect(canonicaliseJson(Object.assign(Object.create(null), { a: 1 }))).to.equal('{"a":1}')
    })
  })

  describe('for invalid values, reported by path', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const refused: readonly (readonly [string, unknown, string])[] = [
      ['undefined', undefined, '$: undefined has no JSON form'],
      ['an undefined member', { a: { b: undefined } }, '$.a.b: undefined has no JSON form'],
      ['a hole in an array', { a: new Array(1) }, '$.a[0]: undefined has no JSON form'],
      ['NaN', { a: [0, { b: Number.NaN }] }, '$.a[1].b: NaN is not a finite number'],
      ['infinity', [Number.NEGATIVE_INFINITY], '$[0]: -Infinity is not a finite number'],
      ['a function', { 'a b': () => 0 }, '$["a b"]: function has no JSON form'],
      ['a symbol', [Symbol('s')], '$[0]: symbol has no JSON form'],
      ['a bigint', { n: 1n }, '$.n: bigint has no JSON form'],
      ['a lone surrogate', { text: 'a\ud800' }, '$.text: the string contains a lone surrogate'],
      [
        'a lone surrogate in a name',
        { a: { '\udc00': 1 } },
        String.raw`$.a["\udc00"]: the string contains a lone surrogate`,
      ],
      ['a date', { at: new Date(0) }, '$.at: the object is not a plain object'],
      ['a map', [new Map()], '$[0]: the object is not a plain object'],
      ['bytes', { b: new Uint8Array(1) }, '$.b: the object is not a plain object'],
      ['a cycle', cyclic, 'nested deeper than 1000 levels'],
    ]
    for (const [name, value, message] of refused) {
      it(`rejects ${name}`, () => {
        expect(() => canonicaliseJson(value)).to.throw(Error, message)
      })
    }
  })

  describe('for any JSON value', () => {
    it('equals the naive twin', () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
          expect(canonicaliseJson(value)).to.equal(naiveTwin(value))
        }),
        { numRuns: 500 },
      )
    })

    it('is a fixed point: parsing and writing again gives the same text', () => {
      fc.assert(
        fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
          const text = canonicaliseJson(value)
          expect(canonicaliseJson(JSON.parse(text))).to.equal(text)
        }),
      )
    })

    it('does not depend on the order of members', () => {
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.integer()), (object) => {
          const reversed = Object.fromEntries(Object.entries(object).reverse())
          expect(canonicaliseJson(reversed)).to.equal(canonicaliseJson(object))
        }),
      )
    })
  })
})
