import { writeBytes, writeInteger, writeMember, writeString } from '@svc/core/signing/structuredField.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { parseDictionary, parseItem } from 'structured-headers'

const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
})

describe('a structured field', () => {
  it('has strings that another parser reads back', () => {
    fc.assert(
      fc.property(printable, (text) => {
        expect(parseItem(writeString(text))[0]).to.equal(text)
      }),
    )
  })

  it('has no string of other characters than printable ASCII', () => {
    for (const text of ['a\n', '\u0000', '\u007f', 'é', '\u2028']) {
      expect(() => writeString(text), JSON.stringify(text)).to.throw('not printable ASCII')
    }
  })

  it('has byte sequences that another parser reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(new Uint8Array(parseItem(writeBytes(bytes))[0] as ArrayBuffer)).to.deep.equal(bytes)
      }),
    )
  })

  it('has integers of at most 15 digits', () => {
    for (const value of [0, -1, 999_999_999_999_999])
      expect(parseItem(writeInteger(value))[0]).to.equal(value)
    for (const value of [1e15, -1e15, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => writeInteger(value)).to.throw('not an integer')
    }
  })

  it('has members with the keys that a dictionary allows', () => {
    for (const key of ['svc', '*a', 'a-b_c.d*9']) {
      expect([...parseDictionary(writeMember(key, '1')).keys()]).to.deep.equal([key])
    }
    for (const key of ['', 'A', '9a', 'a b', 'a=', 'a,b', 'a\n']) {
      expect(() => writeMember(key, '1'), key).to.throw('is not a key')
    }
  })
})
