import { decodeBase64Url } from '@svc/core/bytes.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const part = (text: string) => Buffer.from(text).toString('base64url')
const token = (header: object, payload = '{}', signature = 'c2ln') =>
  `${part(JSON.stringify(header))}.${part(payload)}.${signature}`

describe('parseCompactJws', () => {
  it('splits and decodes a token', () => {
    const text = token({ alg: 'ES256', kid: '1' }, '{"a":1}')
    expect(parseCompactJws(text)).to.deep.include({ algorithm: 'ES256', payload: { a: 1 } })
    expect(parseCompactJws(text)?.signingInput).to.equal(text.split('.').slice(0, 2).join('.'))
  })

  for (const [name, text] of [
    ['none', token({ alg: 'none' })],
    ['None', token({ alg: 'None' })],
    ['no signature', token({ alg: 'ES256' }, '{}', '')],
    ['a symmetric algorithm', token({ alg: 'HS256' })],
    ['no algorithm', token({})],
    ['a list of algorithms', token({ alg: ['ES256'] })],
    ['critical extensions', token({ alg: 'ES256', crit: ['exp'] })],
    ['an unencoded payload', token({ alg: 'ES256', b64: false })],
    ['a payload that is not an object', token({ alg: 'ES256' }, '[]')],
    [
      'bytes that are not UTF-8',
      `${part('{"alg":"ES256"}')}.${Buffer.from([0xff]).toString('base64url')}.c2ln`,
    ],
    ['padding', `${token({ alg: 'ES256' })}==`],
    ['a non-canonical encoding of its last byte', token({ alg: 'ES256' }, '{}', 'c2lnZh')],
    ['an additional part', `${token({ alg: 'ES256' })}.x`],
    ['deep nesting', token({ alg: 'ES256' }, `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
    ['too many bytes', token({ alg: 'ES256' }, JSON.stringify({ a: 'x'.repeat(40_000) }))],
  ] as const) {
    it(`rejects ${name}`, () => expect(parseCompactJws(text)).to.equal(null))
  }

  it('rejects every other text', () => {
    const pieces = fc.string({ unit: fc.constantFrom('e', 'y', 'J', '.', '-', '_', '=', ' ') })
    fc.assert(
      fc.property(fc.oneof(fc.string(), pieces), (text) => {
        expect(parseCompactJws(text)).to.equal(null)
      }),
    )
  })
})

describe('decodeBase64Url', () => {
  it('decodes only what an encoder writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url')
        expect(Buffer.from(decodeBase64Url(text) ?? [])).to.deep.equal(Buffer.from(bytes))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', 'B', '-', '_', '+', '/', '=') }), (text) => {
        const bytes = decodeBase64Url(text)
        expect(bytes === null || Buffer.from(bytes).toString('base64url') === text).to.equal(true)
      }),
    )
  })
})
