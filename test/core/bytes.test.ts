import {
  decodeBase64,
  decodeBase64Url,
  decodeHex,
  encodeBase64,
  encodeBase64Url,
  encodeHex,
} from '@svc/core/bytes.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('decodeBase64', () => {
  it('inverts encodeBase64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeBase64(bytes)).to.equal(Buffer.from(bytes).toString('base64'))
        expect(decodeBase64(encodeBase64(bytes))).to.deep.equal(bytes)
      }),
    )
  })

  it('returns null for any non-canonical encoding and for what is not base64', () => {
    for (const text of ['*', 'A', 'AA', 'AA=', 'AB==', ' AA==', 'AA==\n', 'A A==', '_-8=', 'é']) {
      expect(decodeBase64(text), text).to.equal(null)
    }
  })
})

describe('encodeBase64Url', () => {
  it('writes the characters of base64url without padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeBase64Url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'))
      }),
    )
  })
})

describe('decodeBase64Url', () => {
  it('inverts encodeBase64Url', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeBase64Url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'))
        expect(decodeBase64Url(encodeBase64Url(bytes))).to.deep.equal(bytes)
      }),
    )
    expect(decodeBase64Url('-_-_')).to.deep.equal(Uint8Array.from([0xfb, 0xff, 0xbf]))
    expect(decodeBase64Url('')).to.deep.equal(new Uint8Array())
  })

  it('returns null for padding, for the characters of base64, and for any non-canonical encoding', () => {
    for (const text of ['AA==', '+/+/', 'A', 'AB', 'AAB', 'A A', ' AA', 'AA ', '*AAA', 'AAA*', 'é']) {
      expect(decodeBase64Url(text), text).to.equal(null)
    }
  })
})

describe('decodeHex and encodeHex', () => {
  it('invert each other, with and without prefix and in either case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const hex = encodeHex(bytes)
        expect(hex).to.equal(`0x${Buffer.from(bytes).toString('hex')}`)
        expect(decodeHex(hex)).to.deep.equal(bytes)
        expect(decodeHex(hex.slice(2).toUpperCase())).to.deep.equal(bytes)
      }),
    )
  })

  it('reject what is not pairs of hexadecimal digits', () => {
    for (const text of ['0', '0x0', '0x012']) expect(() => decodeHex(text), text).to.throw('an odd number')
    for (const text of ['g0', ' 0', '+1', '0xg0', 'é0'])
      expect(() => decodeHex(text), text).to.throw(`at position ${text.length - 2}`)
    for (const text of ['0g', '0é', '1_']) expect(() => decodeHex(text), text).to.throw('at position 1')
  })
})
