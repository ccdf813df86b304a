import { createHash } from 'node:crypto'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('hashInputs', () => {
  const anySalt = fc.uint8Array({ minLength: 16, maxLength: 16 })

  it('returns SHA-256 of the 16 bytes of the salt and the UTF-8 of the inputs', () => {
    fc.assert(
      fc.property(anySalt, fc.string({ unit: 'grapheme', maxLength: 9_000, size: 'max' }), (salt, inputs) => {
        const expected = createHash('sha256').update(salt).update(inputs, 'utf8').digest('hex')
        expect(hashInputs(encodeHex(salt).slice(2), inputs)).to.equal(`0x${expected}`)
      }),
      { numRuns: 30 },
    )
  })

  it('covers the inputs completely, however long and in any script', () => {
    const salt = '0f'.repeat(16)
    for (const inputs of ['x'.repeat(70_000), '€'.repeat(40_000), 'é'.repeat(300_000)]) {
      const expected = createHash('sha256').update(Buffer.from(salt, 'hex')).update(inputs).digest('hex')
      expect(hashInputs(salt, inputs)).to.equal(`0x${expected}`)
    }
  })

  it('does not carry bytes over from a longer call into a shorter one', () => {
    const salt = '00'.repeat(16)
    const before = hashInputs(salt, '{}')
    hashInputs(salt, 'x'.repeat(50_000))
    expect(hashInputs(salt, '{}')).to.equal(before)
  })

  it('returns another hash for another salt', () => {
    expect(hashInputs('00'.repeat(16), '{}')).to.not.equal(hashInputs('01'.repeat(16), '{}'))
  })

  it('rejects a salt that is not 16 bytes long', () => {
    for (const length of [0, 15, 17]) {
      expect(() => hashInputs('00'.repeat(length), '{}')).to.throw(`has 16 bytes, not ${length}`)
    }
    for (const salt of ['0'.repeat(31), 'zz'.repeat(16)]) expect(() => hashInputs(salt, '{}')).to.throw()
  })
})
