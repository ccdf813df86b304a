import { createPublicKey } from 'node:crypto'
import { decodeBase64Url, decodeHex, encodeBase64Url } from '@svc/core/bytes.ts'
import { isSafeKeyPoint } from '@svc/core/signing/isSafeKeyPoint.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../builders/createAgentKey.ts'

/** The points of small order, and second encodings of three of them. Source: "Taming the many EdDSAs" (2020), table 1. */
const SMALL_ORDER_POINTS = [
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `${'00'.repeat(31)}80`,
  '00'.repeat(32),
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  `01${'00'.repeat(30)}80`,
  `ee${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(31)}`,
  `ed${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(31)}`,
  `ec${'ff'.repeat(31)}`,
]

describe('isSafeKeyPoint', () => {
  for (const crv of ['Ed25519', 'P-256'] as const) {
    it(`accepts generated keys of ${crv}`, () => {
      for (let nth = 0; nth < 50; nth += 1) expect(isSafeKeyPoint(createAgentKey(crv).jwk)).to.equal(true)
    })
  }

  it('rejects points that are not on P-256, as the platform does', () => {
    const { jwk } = createAgentKey('P-256')
    const y = decodeBase64Url(jwk.y ?? '') ?? new Uint8Array()
    for (const bit of [0, 100, 255]) {
      const moved = Uint8Array.from(y)
      moved[bit >> 3] = (moved[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const key = { ...jwk, y: encodeBase64Url(moved) }
      expect(isSafeKeyPoint(key)).to.equal(false)
      expect(() => createPublicKey({ key, format: 'jwk' })).to.throw()
    }
    const zero = encodeBase64Url(new Uint8Array(32))
    expect(isSafeKeyPoint({ kty: 'EC', crv: 'P-256', x: zero, y: zero })).to.equal(false)
  })

  it('rejects a coordinate that is not below the field prime', () => {
    const { jwk } = createAgentKey('P-256')
    expect(isSafeKeyPoint({ ...jwk, x: encodeBase64Url(new Uint8Array(32).fill(255)) })).to.equal(false)
  })

  it('rejects coordinates that are not 32 bytes in base64url', () => {
    for (const text of ['', '=', 'AAAA', undefined]) {
      expect(isSafeKeyPoint({ kty: 'OKP', crv: 'Ed25519', x: text ?? '' })).to.equal(false)
      expect(isSafeKeyPoint({ ...createAgentKey('P-256').jwk, y: text })).to.equal(false)
    }
  })

  for (const hex of SMALL_ORDER_POINTS) {
    it(`rejects the point of small order ${hex}`, () => {
      expect(isSafeKeyPoint({ kty: 'OKP', crv: 'Ed25519', x: encodeBase64Url(decodeHex(hex)) })).to.equal(
        false,
      )
    })
  }
})
