import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { expect } from 'chai'
import { base64url, createLocalJWKSet, decodeProtectedHeader, flattenedVerify, type JWK } from 'jose'
import { AGENT_BODY } from './agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  PUBLIC_URL,
  type Registry,
  registeredAgent,
} from './openRegistry.ts'

const BODY = {
  ...AGENT_BODY,
  a2a: {
    ...AGENT_BODY.a2a,
    provider: { organization: 'Shop', url: 'https://shop-host.io', since: 2019 },
    skills: [{ id: 'buy', name: 'Buy', description: 'Buys things', price: 3 }],
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
}

describe('the agent card', () => {
  let registry: Registry
  let owner: Person
  let svcId: string
  let path: string
  const signer = newSigner()

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
    svcId = await registeredAgent(registry, signer, BODY)
    path = `/.well-known/agents/${svcId}.json`
  })
  after(() => registry.close())

  const card = async (bearer?: string) =>
    (await registry.call('GET', `/api/agents/${svcId}/card`, bearer ? { bearer } : {})).body
  const keys = async (): Promise<JWK[]> => (await registry.call('GET', '/.well-known/jwks.json')).body.keys

  /** Throws if no signature on the card verifies. */
  async function checkAsA2a(received: AgentCard): Promise<void> {
    const published = await keys()
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      const found = published.find((key) => key.kid === kid)
      if (jku !== `${PUBLIC_URL}/.well-known/jwks.json` || !found)
        throw new Error('not the key of the registry')
      return found
    })
    await verify(received)
  }

  /** The signature over all members, verified with RFC 7515 and RFC 8785 only. */
  async function checkWhole({ signatures, ...members }: Record<string, unknown> & { signatures: never[] }) {
    const isWhole = (signature: { protected: string }) =>
      decodeProtectedHeader(signature).typ === 'svc-agent-card+json'
    const [signature] = (signatures as { protected: string; signature: string }[]).filter(isWhole)
    if (signature === undefined) throw new Error('no signature over all members')
    const payload = base64url.encode(canonicaliseJson(members))
    return flattenedVerify({ ...signature, payload }, createLocalJWKSet({ keys: await keys() }))
  }

  it('is resolved and verified by the A2A library', async () => {
    const resolved = await new DefaultAgentCardResolver().resolve(registry.url, path)
    expect(resolved).to.deep.include({
      name: 'Buyer',
      provider: { organization: 'Shop', url: 'https://shop-host.io' },
    })
    expect(resolved.supportedInterfaces[0]).to.deep.include({
      url: BODY.a2a.agentUrl,
      protocolVersion: '1.0',
    })
    expect(resolved.securitySchemes.key?.scheme?.$case).to.equal('apiKeySecurityScheme')
    // The library reads the JSON form, in which the member of a scheme names its kind.
    await checkAsA2a(AgentCard.toJSON(resolved) as AgentCard)
  })

  it('does not verify if any member that A2A defines was changed', async () => {
    const served = await card()
    for (const change of [
      { name: 'Seller' },
      { supportedInterfaces: [{ ...served.supportedInterfaces[0], url: 'https://elsewhere.io/a2a' }] },
      { capabilities: { extensions: [{ ...served.capabilities.extensions[0], params: { declared: [] } }] } },
      { skills: [] },
    ]) {
      const outcome = await checkAsA2a(AgentCard.fromJSON({ ...served, ...change })).then(
        () => 'verified',
        () => 'refused',
      )
      expect(outcome, JSON.stringify(change)).to.equal('refused')
    }
  })

  /** How many signatures verify over a text that a verifier wrote itself. */
  async function countVerified(signatures: { protected: string; signature: string }[], text: string) {
    const keySet = createLocalJWKSet({ keys: await keys() })
    const payload = base64url.encode(text)
    const verified = await Promise.allSettled(
      signatures.map((signature) => flattenedVerify({ ...signature, payload }, keySet)),
    )
    return verified.filter(({ status }) => status === 'fulfilled').length
  }

  it('has a signature over the members of A2A by the letter of A2A, empty required ones included', async () => {
    const { signatures, ...members } = await card()
    const {
      svcId: _id,
      verificationEndpoint,
      jwksUrl,
      runtimeChallengeSupported,
      protocols,
      ...rest
    } = members
    const { pdlss, onChainIdentity, ...a2aMembers } = rest
    expect([
      verificationEndpoint,
      jwksUrl,
      runtimeChallengeSupported,
      protocols,
      pdlss,
      onChainIdentity,
    ]).not.to.include(undefined)
    expect(a2aMembers.skills[0].tags).to.deep.equal([])
    expect(signatures).to.have.length(3)
    expect(await countVerified(signatures, canonicaliseJson(a2aMembers))).to.equal(1)
  })

  it('verifies for an agent without an A2A block, too', async () => {
    const { a2a: _, ...body } = BODY
    const plain = await registeredAgent(registry, signer, { ...body, protocols: ['x402'] })
    const { body: served } = await registry.call('GET', `/api/agents/${plain}/card`)
    expect([served.skills, served.supportedInterfaces]).to.deep.equal([[], []])
    await checkAsA2a(served)
    await checkWhole(served)
    const resolved = await new DefaultAgentCardResolver().resolve(
      registry.url,
      `/.well-known/agents/${plain}.json`,
    )
    await checkAsA2a(AgentCard.toJSON(resolved) as AgentCard)
  })

  it('has a signature over all its members, also in the owner’s view', async () => {
    for (const bearer of [undefined, owner.bearer]) {
      const served = await card(bearer)
      await checkWhole(served)
      for (const change of [
        { svcId: 'SVC-0000000000000000000000' },
        { onChainIdentity: { agentId: 1, agentRegistry: 'eip155:1:0x00' } },
        { pdlss: { ...served.pdlss, hash: '0x00' } },
        { added: true },
      ]) {
        const outcome = await checkWhole({ ...served, ...change }).then(
          () => 'verified',
          () => 'refused',
        )
        expect(outcome, JSON.stringify(change)).to.equal('refused')
      }
    }
  })

  it('is signed by a key that signs no tokens', async () => {
    const { signatures } = await card()
    const kids = signatures.map((one: { protected: string }) => decodeProtectedHeader(one).kid)
    const [tokens, cards] = await keys()
    expect(kids).to.deep.equal([cards?.kid, cards?.kid, cards?.kid])
    expect(tokens?.kid).to.not.equal(cards?.kid)
    expect(decodeProtectedHeader(owner.bearer).kid).to.equal(tokens?.kid)
    expect(cards).to.not.have.property('d')
  })

  it('is not sent again to clients that have it, and the owner’s view may not be cached', async () => {
    const first = await fetch(registry.url + path)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).to.equal('public, max-age=60')
    const again = await fetch(registry.url + path, { headers: { 'if-none-match': `W/"x", ${etag}` } })
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
    const owned = await fetch(`${registry.url}/api/agents/${svcId}/card`, {
      headers: { authorization: `Bearer ${owner.bearer}`, 'if-none-match': etag },
    })
    expect([owned.status, owned.headers.get('cache-control')]).to.deep.equal([200, 'private, no-store'])
  })

  it('has the same bytes when requested twice', async () => {
    const served = () => fetch(registry.url + path).then((answer) => answer.text())
    expect(await served()).to.equal(await served())
  })
})
