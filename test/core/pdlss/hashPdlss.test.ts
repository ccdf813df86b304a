import { createHash } from 'node:crypto'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { expect } from 'chai'

describe('hashPdlss', () => {
  const salt = '00112233445566778899aabbccddeeff'

  it('returns SHA-256 of the salt and the canonical JSON of the boundary', () => {
    const text = '{"limits":{"autonomousThreshold":5,"currency":"USD"},"purpose":{"categories":["a","b"]}}'
    const expected = createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex')
    const pdlss = {
      purpose: { categories: ['a', 'b'] },
      limits: { currency: 'USD', autonomousThreshold: 5 },
    }
    expect(hashPdlss(salt, pdlss)).to.equal(`0x${expected}`)
  })

  it('returns another hash for another boundary or salt', () => {
    const one = hashPdlss(salt, {})
    expect(hashPdlss(salt, { purpose: {} })).to.not.equal(one)
    expect(hashPdlss(salt.replace('0', '1'), {})).to.not.equal(one)
  })
})
