import { type AgentCardFacts, buildAgentCard, PDLSS_EXTENSION_URI } from '@svc/core/card/buildAgentCard.ts'
import { PROTOCOLS } from '@svc/core/commerce/commerceProtocol.ts'
import { prefillPdlss } from '@svc/core/commerce/prefillPdlss.ts'
import { expect } from 'chai'
import { PREFILL_ROWS } from '../commerce/prefillRows.ts'

const A2A = {
  agentUrl: 'https://agent.shop.io/a2a',
  version: '2.1.0',
  transport: 'HTTP+JSON',
  provider: { organization: 'Shop', url: 'https://shop.io' },
  skills: [{ id: 'buy', name: 'Buy', description: 'Buys things' }],
}

function facts(overrides: Partial<AgentCardFacts> = {}): AgentCardFacts {
  return {
    svcId: 'SVC-0000000000000000000001',
    name: 'Buyer',
    description: 'Buys',
    image: 'https://shop.io/buyer.png',
    protocols: { a2a: A2A },
    runtimeChallengeSupported: true,
    verificationEndpoint: 'https://registry.io/api/agents/verify-access',
    jwksUrl: 'https://registry.io/.well-known/agents/SVC-1/jwks.json',
    onChainIdentity: { agentId: 7, agentRegistry: 'eip155:1:0x00000000000000000000000000000000000000aa' },
    pdlss: { declared: ['limits'], hash: '0xabc' },
    ...overrides,
  }
}

describe('buildAgentCard', () => {
  it('has every required member of an A2A 1.0 card', () => {
    const card = buildAgentCard(facts())
    expect(card).to.include({ name: 'Buyer', description: 'Buys', version: '2.1.0' })
    expect(card.supportedInterfaces).to.deep.equal([
      { url: 'https://agent.shop.io/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ])
    expect(card.skills).to.deep.equal([{ id: 'buy', name: 'Buy', description: 'Buys things', tags: [] }])
    expect(card.defaultInputModes).to.deep.equal(['text/plain'])
    expect(card.defaultOutputModes).to.deep.equal(['text/plain'])
    expect(card.capabilities.extensions[0]).to.deep.include({
      uri: PDLSS_EXTENSION_URI,
      params: { declared: ['limits'], hash: '0xabc' },
    })
  })

  it('has empty lists if an agent declares no A2A interface', () => {
    const card = buildAgentCard(facts({ protocols: {}, description: null, image: null }))
    expect(card.supportedInterfaces).to.deep.equal([])
    expect(card.skills).to.deep.equal([])
    expect(card.description).to.equal('')
    expect(card).not.to.have.any.keys('iconUrl', 'provider', 'securitySchemes')
  })

  it('keeps OAuth 2.0 schemes, in the spelling of OpenAPI or A2A, with the best of several flows', () => {
    const authorizationCode = {
      authorizationUrl: 'https://id.io/authorize',
      tokenUrl: 'https://id.io/token',
      scopes: { buy: 'Buy things' },
      pkceRequired: true,
    }
    const clientCredentials = { tokenUrl: 'https://id.io/token' }
    const securitySchemes = {
      openapi: { type: 'oauth2', description: 'Sign in', flows: { clientCredentials, authorizationCode } },
      a2a: {
        oauth2SecurityScheme: {
          flows: { clientCredentials },
          oauth2MetadataUrl: 'https://id.io/.well-known/oauth-authorization-server',
        },
      },
      incomplete: { type: 'oauth2', flows: { authorizationCode: clientCredentials } },
    }
    const card = buildAgentCard(facts({ protocols: { a2a: { ...A2A, securitySchemes } } }))
    expect(card.securitySchemes).to.deep.equal({
      openapi: { oauth2SecurityScheme: { description: 'Sign in', flows: { authorizationCode } } },
      a2a: {
        oauth2SecurityScheme: {
          flows: { clientCredentials: { ...clientCredentials, scopes: {} } },
          oauth2MetadataUrl: 'https://id.io/.well-known/oauth-authorization-server',
        },
      },
    })
  })

  it('names a provider only with both members that A2A requires', () => {
    const providerOf = (provider: object) =>
      buildAgentCard(facts({ protocols: { a2a: { ...A2A, provider } } })).provider
    expect(providerOf(A2A.provider)).to.deep.equal(A2A.provider)
    for (const provider of [
      { organization: 'Shop' },
      { url: 'https://shop.io' },
      { organization: 'S', url: '' },
    ])
      expect(providerOf(provider), JSON.stringify(provider)).to.equal(undefined)
  })

  it('omits security schemes of kinds that A2A does not define, and incomplete ones, whatever their names', () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: { type: 'oauth2' },
      nameless: { type: 'apiKey', in: 'header' },
      odd: { type: 'constructor' },
      odder: { type: '__proto__' },
    }
    expect(
      buildAgentCard(facts({ protocols: { a2a: { ...A2A, securitySchemes } } })).securitySchemes,
    ).to.deep.equal({
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    })
  })

  it('shows the boundary and its salt only to the owner', () => {
    const owned = { boundary: { limits: { approvalThreshold: 4711 } }, salt: 'ab'.repeat(16) }
    expect(buildAgentCard(facts({ owned })).pdlss).to.deep.equal({
      declared: ['limits'],
      hash: '0xabc',
      ...owned,
    })
    expect(buildAgentCard(facts()).pdlss).to.deep.equal({ declared: ['limits'], hash: '0xabc' })
  })

  it('omits the members that pre-fill a boundary from the public view of declarations', () => {
    const protocols = {
      ap2: {
        agentDid: 'did:key:z6Mk',
        policyClaims: { maxTransactionValue: 4711 },
        delegationEnabled: true,
      },
      x402: { walletAddress: '0x01', supportedTokens: ['T4711'], spendingLimit: 4711 },
      mpp: { merchantId: 'm', paymentMethods: ['card'], currency: 'C4711', spendingLimit: 4711 },
      vi: {
        executionMode: 'Both',
        publicKey: 'k',
        defaultConstraints: { paymentAmount: { max: 4711 } },
        budgetLimits: [4711],
      },
      tap: { visaAgentId: 'v', publicKey: 'k', allowedMerchantDomains: ['secret4711.io'] },
    }
    const shown = buildAgentCard(facts({ protocols }))
    expect(JSON.stringify(shown)).not.to.contain('4711')
    expect(shown.protocols.ap2).to.deep.equal({ agentDid: 'did:key:z6Mk' })
    expect(shown.protocols.x402).to.deep.equal({ walletAddress: '0x01' })
    expect(shown.protocols.mpp).to.deep.equal({ merchantId: 'm', paymentMethods: ['card'] })
    expect(shown.protocols.vi).to.deep.equal({ publicKey: 'k' })
    const owned = { boundary: {}, salt: '' }
    expect(buildAgentCard(facts({ protocols, owned })).protocols).to.deep.equal(protocols)
  })

  it('shows nothing from which a limit, its currency or self-instantiation is pre-filled, in any protocol', () => {
    for (const protocol of PROTOCOLS) {
      const blocks = PREFILL_ROWS.filter((row) => row.protocol === protocol).map(({ block }) => block)
      const limitsOf = (block: object) => {
        const { limits, selfInstantiation } = prefillPdlss({}, [[protocol, block]])
        return { limits, selfInstantiation }
      }
      for (const block of blocks) {
        const shown = buildAgentCard(facts({ protocols: { [protocol]: block } })).protocols[protocol]
        // The other block keeps its limits, whatever it takes over from the public view of this one.
        for (const other of blocks)
          expect(limitsOf({ ...other, ...shown }), JSON.stringify(shown)).to.deep.equal(limitsOf(other))
      }
    }
  })
})
