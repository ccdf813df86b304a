import type { RequestFacts } from '@svc/client'
import { findSessionTokens as find } from '@svc/client/gateway/findSessionTokens.ts'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import { expect } from 'chai'

const ROOT = 'eyJh.eyJi.c2ln~ZGlzY2xvc3VyZQ~'
const MANDATE = 'eyJh.eyJj.c2lh~ZGlz~eyJr.eyJi.a2I'

const isValidated = false
const findSessionTokens = (facts: RequestFacts) => find(readRequest(facts))

describe('findSessionTokens', () => {
  it('finds a chain of SD-JWTs, in a header with or without a scheme, or in metadata', () => {
    const found = (source: string, chain: string[]) => [{ type: 'sd_jwt', chain, source, isValidated }]
    expect(findSessionTokens({ headers: { Authorization: `Bearer ${ROOT}` } })).to.deep.equal(
      found('authorization', [ROOT]),
    )
    expect(findSessionTokens({ headers: new Headers({ 'vi-chain': `${ROOT}, ${MANDATE}` }) })).to.deep.equal(
      found('vi-chain', [ROOT, MANDATE]),
    )
    const metadata = { 'vi.chain': [ROOT, MANDATE] }
    expect(findSessionTokens({ metadata })).to.deep.equal(found('vi.chain', [ROOT, MANDATE]))
  })

  it('finds an HTTP message signature with its input', () => {
    const headers = { signature: 'sig1=:AA==:', 'signature-input': 'sig1=("@authority");created=1' }
    expect(findSessionTokens({ headers })).to.deep.equal([
      {
        ...{
          type: 'http_signature',
          signature: headers.signature,
          signatureInput: headers['signature-input'],
        },
        ...{ source: 'signature', isValidated },
      },
    ])
    expect(findSessionTokens({ headers: { signature: 'sig1=:AA==:' } })).to.deep.equal([])
  })

  it('finds the signature of a webhook, but not that of a signed request', () => {
    const [found, ...others] = findSessionTokens({ headers: { 'X-Svc-Signature': 't=1,v1=00' } })
    expect(found).to.deep.include({ type: 'signed_webhook', signature: 't=1,v1=00', isValidated })
    expect(others).to.deep.equal([])
    const standard = findSessionTokens({ headers: { 'webhook-signature': 'v1,AA==' } })
    expect(standard[0]).to.deep.include({ type: 'signed_webhook', source: 'webhook-signature' })
    expect(findSessionTokens({ headers: { 'X-Svc-Signature': '0x00' } })).to.deep.equal([])
  })

  it('finds a checkout session in the path, a header or metadata', () => {
    const found = (source: string) => [{ type: 'checkout_session', id: 'cs_1', source, isValidated }]
    for (const target of ['/checkout_sessions/cs_1', '/v1/checkout-sessions/cs_1/complete?x=1']) {
      expect(findSessionTokens({ target })).to.deep.equal(found('path'))
    }
    const headers = { 'Checkout-Session-Id': 'cs_1' }
    expect(findSessionTokens({ headers })).to.deep.equal(found('checkout-session-id'))
    const metadata = { checkout_session_id: 'cs_1' }
    expect(findSessionTokens({ metadata })).to.deep.equal(found('checkout_session_id'))
  })

  it('finds nothing in an ordinary request, and at most 32 tokens in any', () => {
    const headers = { authorization: 'Bearer eyJh.eyJi.c2ln', 'user-agent': 'a~b', accept: '*/*' }
    const metadata = { 'X-Svc-Id': 'SVC-1', progressToken: 5, nested: { deep: true }, list: [null, 1] }
    expect(findSessionTokens({ target: '/checkout_sessions', headers, metadata })).to.deep.equal([])
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`m${index}`, ROOT]))
    expect(findSessionTokens({ metadata: many })).to.have.lengthOf(32)
  })

  it('takes linear time for a long value', () => {
    const headers = { a: `${'eyJh.'.repeat(3)}${'a~'.repeat(100_000)}.`, b: `x.y.z~${'a'.repeat(200_000)}!` }
    expect(findSessionTokens({ headers })).to.deep.equal([])
  }).timeout(2000)
})
