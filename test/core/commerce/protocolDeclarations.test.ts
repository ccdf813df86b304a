import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
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
} as const

describe('protocolDeclarations', () => {
  for (const protocol of PROTOCOLS) {
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

  it('rejects a block that is nested too deep', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect(protocolDeclarations.x402.safeParse({ ...COMPLETE.x402, deep }).success).to.equal(false)
  })
})
