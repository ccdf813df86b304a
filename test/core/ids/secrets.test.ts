import { generateApiKey, generateWebhookSecret, isApiKey } from '@svc/core/ids/secrets.ts'
import { expect } from 'chai'
import fc from 'fast-check'

describe('an API key', () => {
  it('is svc_live_ and 32 base62 characters, for any 64 bytes that yield them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 61 }), { minLength: 64, maxLength: 64 }), (values) => {
        const key = generateApiKey(Uint8Array.from(values, (value, i) => value + 64 * (i % 4)))
        expect(key).to.match(/^svc_live_[0-9A-Za-z]{32}$/)
        expect(isApiKey(key)).to.equal(true)
      }),
    )
  })

  it('maps the same number of byte values to each of the 62 digits, and skips the others', () => {
    const counts = new Map<string, number>()
    for (let byte = 0; byte < 256; byte++) {
      const key = generateApiKey(Uint8Array.from([byte, ...new Array(32).fill(0)]))
      const shifted = (byte & 63) >= 62
      if (!shifted) counts.set(key.charAt(9), (counts.get(key.charAt(9)) ?? 0) + 1)
      else expect(key).to.equal(`svc_live_${'0'.repeat(32)}`)
    }
    expect(counts.size).to.equal(62)
    expect([...new Set(counts.values())]).to.deep.equal([4])
  })

  it('rejects bytes that yield fewer than 32 digits', () => {
    expect(() => generateApiKey(new Uint8Array(31))).to.throw('31 of 32 digits')
    expect(() => generateApiKey(new Uint8Array(64).fill(63))).to.throw('0 of 32 digits')
  })
})

describe('isApiKey', () => {
  it('rejects other texts', () => {
    const body = 'a'.repeat(32)
    for (const text of [
      body,
      `svc_test_${body}`,
      `svc_live_${body}a`,
      `svc_live_${body}\n`,
      `svc_live_${body.slice(1)}`,
    ]) {
      expect(isApiKey(text), text).to.equal(false)
    }
  })
})

describe('a webhook secret', () => {
  it('is whsec_ and the base64 of its 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const secret = generateWebhookSecret(bytes)
        expect(secret.slice(0, 6)).to.equal('whsec_')
        expect(Buffer.from(secret.slice(6), 'base64').equals(bytes)).to.equal(true)
        expect(secret.length).to.equal(50)
      }),
    )
  })

  it('rejects any other number of bytes', () => {
    expect(() => generateWebhookSecret(new Uint8Array(31))).to.throw('32 bytes')
  })
})
