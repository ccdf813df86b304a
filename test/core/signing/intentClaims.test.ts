import { INTENT_FACTS, parseIntentClaims } from '@svc/core/signing/intentClaims.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { arbitraryFacts, INTENT } from './arbitraryFacts.ts'

/** Like the member of a `Content-Digest` header. */
const hash = `sha-256=:${Buffer.alloc(32, 7).toString('base64')}:`

const invalidOf = (payload: unknown) => {
  const parsed = parseIntentClaims(payload)
  return parsed.ok ? [] : parsed.invalid
}

describe('the claims of an intent proof', () => {
  it('are those of the payload, without claims of other names', () => {
    fc.assert(
      fc.property(arbitraryFacts, (facts) => {
        const payload = JSON.parse(JSON.stringify({ ...INTENT, ...facts }))
        expect(parseIntentClaims({ ...payload, sub: 'x', transactionValue: 1 })).to.deep.equal({
          ok: true,
          claims: payload,
        })
      }),
    )
  })

  it('name the agent, the audience, a time and an identifier', () => {
    for (const payload of [undefined, null, [], 'a', 1, {}]) {
      expect(invalidOf(payload)).to.deep.equal(['iss', 'aud', 'iat', 'exp', 'jti'])
    }
    for (const name of ['iss', 'aud', 'iat', 'exp', 'jti']) {
      expect(invalidOf({ ...INTENT, [name]: undefined }), name).to.deep.equal([name])
    }
    expect(INTENT_FACTS.flatMap((name) => invalidOf({ ...INTENT, [name]: undefined }))).to.deep.equal([])
  })

  const invalid: Record<string, readonly unknown[]> = {
    iss: ['', 'SVC-1', `SVCE-${'a'.repeat(22)}`, 1, [INTENT.iss]],
    aud: [
      ...['', 'shop.example', 'https://shop.example/', 'https://shop.example/a', 'HTTPS://shop.example'],
      ...['https://u@shop.example', 'https://shop.example:443', 'ftp://shop.example', 'SVCE-1', [INTENT.aud]],
    ],
    iat: ['1', 1.5, -1, Number.NaN, null],
    exp: ['1', INTENT.iat, INTENT.iat - 1, INTENT.iat + 61, 2 ** 60],
    jti: ['short', 'n'.repeat(129), 1],
    purpose: ['', 'a b', 'a:b:c', 'é', 'a'.repeat(201), null],
    action: ['', 'a b', 'a.b.c', 7],
    resource: ['', 'a'.repeat(2_049), 1],
    amount: [
      -1,
      1e15 + 1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      '',
      '-1',
      '1,5',
      '.5',
      '1e3',
      '1000000000000000.1',
      'NaN',
    ],
    currency: ['', 'EU', 'E1R', '€UR', 978],
    sessionDuration: [0, 1.5, '60', 31_536_001],
    attemptId: ['', 'x', 'd2b1ef88-0000-0000-0000-00000000000'],
    bodyHash: ['', 'sha-256=:AAAA:', `${hash}, sha-512=:AAAA:`, 'sha-512=:AAAA:', hash.slice(9, -1)],
  }
  for (const [name, values] of Object.entries(invalid)) {
    it(`have a valid ${name}`, () => {
      for (const value of values) {
        expect(invalidOf({ ...INTENT, [name]: value }), String(value)).to.deep.equal([name])
      }
    })
  }

  it('are not read from a prototype', () => {
    expect(invalidOf(Object.create(INTENT))).to.deep.equal(['iss', 'aud', 'iat', 'exp', 'jti'])
  })
})
