import { generateKeyPairSync, sign } from 'node:crypto'
import { isDerSignature } from '@svc/core/signing/isDerSignature.ts'
import { expect } from 'chai'

describe('isDerSignature', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  it('accepts what a key signs, also if r or s is short or has its highest bit set', () => {
    const lengths = new Set<number>()
    for (let nth = 0; nth < 500; nth += 1) {
      const signature = sign('sha256', Buffer.from(String(nth)), privateKey)
      expect(isDerSignature(signature), signature.toString('hex')).to.equal(true)
      lengths.add(signature.length)
    }
    expect([...lengths]).to.include.members([70, 71, 72])
  })

  for (const [what, hex] of [
    ['nothing', ''],
    ['another tag', '3106020101020101'],
    ['a length that is too large', '3007020101020101'],
    ['a length that is too small', '3005020101020101'],
    ['a length in the long form', '308106020101020101'],
    ['a byte after it', '300602010102010100'],
    ['a byte after it that the length includes', '300702010102010100'],
    ['one integer', '3003020101'],
    ['three integers', '3009020101020101020101'],
    ['an integer of zero bytes', '30050200020101'],
    ['a zero', '3006020100020101'],
    ['a negative integer', '3006020181020101'],
    ['an integer with an unnecessary leading zero', '300702020001020101'],
    ['an integer that extends beyond the end', '3006020101020201'],
    [
      'integers so long that their lengths need another form',
      `308102${'3c'}${'01'.repeat(60)}0241${'01'.repeat(65)}`,
    ],
    ['something else than an integer', '3006030101020101'],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(isDerSignature(Buffer.from(hex, 'hex'))).to.equal(false)
    })
  }
  it('accepts the shortest signature, and a necessary leading zero', () => {
    for (const hex of ['3006020101020101', '300702020081020101']) {
      expect(isDerSignature(Buffer.from(hex, 'hex')), hex).to.equal(true)
    }
  })
})
