import { BLOCKS } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolDeclarations } from '@svc/core/commerce/protocolDeclarations.ts'
import { expect } from 'chai'

const COMPLETE = {
  a2a: { agentUrl: 'https://a.io', skills: [{ id: 's', name: 'S', description: 'does' }] },
  acp: { merchantId: 'm', checkoutEndpoint: 'https://a.io/checkout' },
  ap2: { agentDid: 'did:key:z6Mk' },
  ucp: { manifestUrl: 'https://a.io/.well-known/ucp' },
  mpp: { merchantId: 'm' },
  x402: { walletAddress: '0x01' },
  vi: { executionMode: 'Both', publicKey: 'k' },
  agentpay: { mastercardAgentId: 'a', publicKey: 'k' },
  tap: { visaAgentId: 'v', publicKey: 'k' },
  mcp: { endpoint: 'https://a.io/mcp' },
  names: {},
} as const

describe('protocolDeclarations', () => {
  for (const protocol of BLOCKS) {
    const schema = protocolDeclarations[protocol]

    it(`accepts a complete ${protocol} block and keeps unknown members`, () => {
      const block = { ...COMPLETE[protocol], novel: { x: 1 } }
      expect(schema.safeParse(block)).to.deep.include({ success: true, data: block })
    })

    for (const member of Object.keys(COMPLETE[protocol])) {
      it(`rejects a ${protocol} block without ${member}`, () => {
        const { [member]: _, ...rest } = { ...COMPLETE[protocol] } as Record<string, unknown>
        const parsed = schema.safeParse(rest)
        expect(parsed.error?.issues[0]?.path).to.deep.equal([member])
      })
    }
  }

  it('rejects an A2A block without a skill', () => {
    expect(protocolDeclarations.a2a.safeParse({ ...COMPLETE.a2a, skills: [] }).success).to.equal(false)
  })

  it('requires only an identifier and a name of an A2A skill', () => {
    const accepts = (skill: object) =>
      protocolDeclarations.a2a.safeParse({ ...COMPLETE.a2a, skills: [skill] }).success
    expect(accepts({ id: 's', name: 'S' })).to.equal(true)
    expect([accepts({ id: 's' }), accepts({ name: 'S' })]).to.deep.equal([false, false])
  })

  for (const protocol of ['mpp', 'x402'] as const) {
    it(`accepts currencies of ${protocol} by code, symbol and address`, () => {
      const accepts = (token: string) => {
        const block = protocol === 'mpp' ? { currency: token } : { supportedTokens: [token] }
        return protocolDeclarations[protocol].safeParse({ ...COMPLETE[protocol], ...block }).success
      }
      for (const token of [
        'USD',
        'usd',
        'USDC.e',
        'pathUSD',
        'USD₮0',
        '0x20c0000000000000000000000000000000000000',
        'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      ]) {
        expect(accepts(token), token).to.equal(true)
      }
      for (const token of ['', 'U', 'US D', '0x20c0', '-USD', 'USD\n', 'x'.repeat(65)])
        expect(accepts(token), token).to.equal(false)
    })
  }

  for (const protocol of ['vi', 'agentpay', 'tap'] as const) {
    it(`accepts the public key of ${protocol} as text or JWK, and no private one`, () => {
      const accepts = (publicKey: unknown) =>
        protocolDeclarations[protocol].safeParse({ ...COMPLETE[protocol], publicKey }).success
      const jwk = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }
      for (const key of ['MCowBQYDK2Vw', '-----BEGIN PUBLIC KEY-----', jwk])
        expect(accepts(key)).to.equal(true)
      for (const key of [
        '',
        7,
        {},
        [jwk],
        { ...jwk, d: 'AA' },
        { kty: 'oct', k: 'AA' },
        '-----BEGIN EC PRIVATE KEY-----',
      ])
        expect(accepts(key), JSON.stringify(key)).to.equal(false)
    })
  }

  it('accepts merchants of Verifiable Intent as texts and objects, and amounts in minor units', () => {
    const accepts = (defaultConstraints: object) =>
      protocolDeclarations.vi.safeParse({ ...COMPLETE.vi, defaultConstraints }).success
    for (const merchant of ['Tennis Shop', 'shop.io', { name: 'Shop', website: 'https://shop.io' }])
      expect(accepts({ allowedMerchants: [merchant] })).to.equal(true)
    for (const merchant of ['', ' ', { website: 'https://shop.io' }, { name: 'Shop', website: 'no host' }, 7])
      expect(accepts({ allowedMerchants: [merchant] }), JSON.stringify(merchant)).to.equal(false)
    expect([1_999, 19.99].map((max) => accepts({ paymentAmount: { max } }))).to.deep.equal([true, false])
  })

  for (const [protocol, member, known] of [
    ['ucp', 'transports', ['a2a', 'mcp', 'rest', 'embedded']],
    ['ap2', 'mandateTypes', ['intent', 'cart', 'payment', 'mandate.checkout.1', 'mandate.payment.open.1']],
  ] as const) {
    it(`accepts only the known ${member} of ${protocol}`, () => {
      const accepts = (names: readonly string[]) =>
        protocolDeclarations[protocol].safeParse({ ...COMPLETE[protocol], [member]: names }).success
      expect([accepts(known), accepts([...known, 'other'])]).to.deep.equal([true, false])
    })
  }

  it('accepts only the known signature algorithms of tap', () => {
    const accepts = (signatureAlgorithm: string) =>
      protocolDeclarations.tap.safeParse({ ...COMPLETE.tap, signatureAlgorithm }).success
    for (const name of ['rsa-pss-sha512', 'rsa-pss-sha256', 'ed25519']) expect(accepts(name)).to.equal(true)
    expect(accepts('hmac-sha256')).to.equal(false)
  })

  it('rejects a block that is nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect(protocolDeclarations.x402.safeParse({ ...COMPLETE.x402, deep }).success).to.equal(false)
  })
})
