import {
  encodeAgentIdentifier,
  encodeBase62,
  encodeDeveloperIdentifier,
  encodeEndpointIdentifier,
  encodeOrganizationIdentifier,
  isAgentIdentifier,
  isDeveloperIdentifier,
  isEndpointIdentifier,
  isOrganizationIdentifier,
} from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const bytes16 = fc.uint8Array({ minLength: 16, maxLength: 16 })
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function numberOf(base62: string): bigint {
  return [...base62].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n)
}

describe('encodeBase62', () => {
  it('returns 22 characters for the smallest and for the largest value', () => {
    expect(encodeBase62(new Uint8Array(16))).to.equal('0'.repeat(22))
    expect(encodeBase62(new Uint8Array(16).fill(255))).to.equal('7n42DGM5Tflk9n8mt7Fhc7')
  })

  it('encodes all 128 bits: the number can be decoded from it', () => {
    fc.assert(
      fc.property(bytes16, (bytes) => {
        const id = encodeBase62(bytes)
        expect(id).to.match(/^[0-9A-Za-z]{22}$/)
        expect(numberOf(id)).to.equal(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
      }),
    )
  })

  it('returns different texts for different bytes, in the same order', () => {
    fc.assert(
      fc.property(bytes16, bytes16, (a, b) => {
        const order = Buffer.compare(a, b)
        expect(
          Math.sign(Number(encodeBase62(a) > encodeBase62(b)) - Number(encodeBase62(a) < encodeBase62(b))),
        ).to.equal(order)
      }),
    )
  })

  it('rejects any other number of bytes', () => {
    expect(() => encodeBase62(new Uint8Array(15))).to.throw('16 bytes')
    expect(() => encodeBase62(new Uint8Array(17))).to.throw('16 bytes')
  })
})

describe('identifiers', () => {
  const kinds = [
    { prefix: 'SVC-', make: encodeAgentIdentifier, is: isAgentIdentifier },
    { prefix: 'SVCE-', make: encodeEndpointIdentifier, is: isEndpointIdentifier },
    { prefix: 'SVCO-', make: encodeOrganizationIdentifier, is: isOrganizationIdentifier },
    { prefix: 'SVCD-', make: encodeDeveloperIdentifier, is: isDeveloperIdentifier },
  ]
  for (const { prefix, make, is } of kinds) {
    it(`${prefix} is followed by 22 characters, and only its own check recognises it`, () => {
      fc.assert(
        fc.property(bytes16, (bytes) => {
          const identifier = make(bytes)
          expect(identifier).to.equal(prefix + encodeBase62(bytes))
          expect(kinds.filter((kind) => kind.is(identifier)).map((kind) => kind.prefix)).to.deep.equal([
            prefix,
          ])
          expect(is(identifier)).to.equal(true)
        }),
      )
    })

    it(`${prefix} with anything but 22 base62 characters is rejected`, () => {
      const body = 'a'.repeat(22)
      const bad = [
        body,
        prefix,
        prefix + body.slice(1),
        `${prefix}${body}a`,
        `${prefix}${body}\n`,
        ` ${prefix}${body}`,
        prefix.toLowerCase() + body,
        `${prefix}${body.slice(1)}-`,
        `${prefix}${body.slice(1)}é`,
      ]
      for (const text of bad) expect(is(text), text).to.equal(false)
    })
  }
})
