import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@svc/core/hash.ts'
import { isAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { expect } from 'chai'
import { AGENT_BODY } from '../agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  PUBLIC_URL,
  type Registry,
  registerAgent,
  registeredAgent,
} from '../openRegistry.ts'

describe('POST /api/agents/register', () => {
  let registry: Registry

  before(async () => {
    registry = await openRegistry()
  })
  after(() => registry.close())

  describe('with a signature', () => {
    it('registers the agent immediately', async () => {
      const { status, body } = await registerAgent(registry, newSigner(), AGENT_BODY)
      expect(status).to.equal(201)
      const { agent } = body.data
      expect(isAgentIdentifier(agent.svcId)).to.equal(true)
      expect(body).to.deep.equal({
        success: true,
        data: {
          agent: {
            kyaAgentId: agent.svcId,
            svcId: agent.svcId,
            trustScore: agent.trustScore,
            name: 'Buyer',
            agentStatus: 'active',
            blockchainStatus: 'pending',
            agentCardUrl: `${PUBLIC_URL}/.well-known/agents/${agent.svcId}.json`,
            registrationFileUrl: `${PUBLIC_URL}/registration-files/${agent.svcId}.json`,
          },
        },
      })
      expect(registry.changed).to.include(agent.svcId)
    })

    it('refuses a misspelt member, without which the agent would be another, and ignores unknown ones', async () => {
      const { name, pdlss } = AGENT_BODY
      for (const [misspelt, meant] of Object.entries({
        ...{ PDLSS: 'pdlss', parent_agent_id: 'parentAgentId', 'api-endpoint': 'apiEndpoint' },
        ...{ pdls: 'pdlss', pldss: 'pdlss', parentAgenntId: 'parentAgentId' },
      })) {
        const { status, body } = await registerAgent(registry, newSigner(), { name, pdlss, [misspelt]: {} })
        expect([status, body.errors], misspelt).to.deep.equal([
          400,
          [
            {
              pointer: `/${misspelt}`,
              code: 'unknown_key',
              message: `unknown field; ${meant} was probably meant`,
            },
          ],
        ])
      }
      const { status } = await registerAgent(registry, newSigner(), { name, pdlss, tags: ['tea'] })
      expect(status).to.equal(201)
    })

    it('stores the agent under the account of the key, with its record and mint intent', async () => {
      const signer = newSigner()
      const svcId = await registeredAgent(registry, signer, AGENT_BODY)
      const agent = await registry.stores.agents.bySvcId(svcId)
      expect(agent).to.include({
        status: 'active',
        agentType: 'autonomous',
        apiEndpoint: 'https://agent.shop-host.io/challenge?x=1',
        signerAddress: signer.address.toLowerCase(),
        blockchainStatus: 'pending',
        chainAgentId: null,
      })
      expect(agent?.pdlss).to.deep.equal(AGENT_BODY.pdlss)
      expect(agent?.declarations).to.deep.equal({ a2a: AGENT_BODY.a2a })
      expect(agent?.approvalRules).to.deep.equal([{ dimension: 'spend', match: {} }])
      const { entry, event_type, owner_id } = (await registry.log()).at(-1)
      expect([event_type, owner_id]).to.deep.equal(['agent.registered', agent?.ownerId])
      expect(entry.policyHashes).to.deep.equal({ agent: agent?.pdlssHash, endpoint: null })
      const intent = await registry.outbox.byKey(`mint:${svcId}`)
      expect(intent).to.include({ kind: 'identity.mint', status: 'queued' })
      expect(intent?.payload).to.deep.equal({
        svcId,
        owner: signer.address,
        agentURI: `${PUBLIC_URL}/registration-files/${svcId}.json`,
        metadata: [
          { metadataKey: 'svcId', metadataValue: `0x${Buffer.from(svcId, 'utf8').toString('hex')}` },
        ],
        consent: null,
      })
    })

    it('assigns agents of one key to one owner, and those of two keys to two', async () => {
      const signer = newSigner()
      const ids = [
        await registeredAgent(registry, signer, { name: 'one' }),
        await registeredAgent(registry, signer, { name: 'two' }),
        await registeredAgent(registry, newSigner(), { name: 'three' }),
      ]
      const agents = await Promise.all(ids.map((id) => registry.stores.agents.bySvcId(id)))
      const owners = agents.map((agent) => agent?.ownerId)
      expect(owners[0]).to.match(/^SVCD-/)
      expect(owners[1]).to.equal(owners[0])
      expect(owners[2]).not.to.equal(owners[0])
    })

    it('writes the registration file before it responds, without a registration', async () => {
      const svcId = await registeredAgent(registry, newSigner(), AGENT_BODY)
      const bytes = await readFile(join(registry.registrationFilesDir, `${svcId}.json`))
      expect(JSON.parse(bytes.toString())).to.deep.equal({
        type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
        name: 'Buyer',
        description: 'Buys what is missing',
        image: 'https://agent.shop-host.io/face.png',
        services: [
          { name: 'A2A', endpoint: `${PUBLIC_URL}/.well-known/agents/${svcId}.json`, version: '1.0' },
        ],
        x402Support: true,
        active: true,
        registrations: [],
        supportedTrust: ['svc-pdlss'],
        svcId,
      })
      const agent = await registry.stores.agents.bySvcId(svcId)
      expect(agent?.registrationFileHash).to.equal(sha256Hex(bytes))
      const files = await readdir(registry.registrationFilesDir)
      expect(files.filter((name) => name.endsWith('.tmp'))).to.deep.equal([])
    })

    it('lists no service for an agent that declares none, and never its challenge URL', async () => {
      const { a2a: _, ...plain } = { ...AGENT_BODY, protocols: ['x402'] }
      const svcId = await registeredAgent(registry, newSigner(), plain)
      const text = await readFile(join(registry.registrationFilesDir, `${svcId}.json`), 'utf8')
      expect(JSON.parse(text).services).to.deep.equal([])
      expect(text).not.to.contain('challenge')
    })

    it('gives an agent with only a name the score 45, and more with more metadata', async () => {
      const least = await registerAgent(registry, newSigner(), { name: 'least' })
      const most = await registerAgent(registry, newSigner(), AGENT_BODY)
      expect(least.body.data.agent.trustScore).to.equal(45)
      expect(most.body.data.agent.trustScore).to.be.above(54)
    })

    it('treats a block as the declaration of its protocol, and lists each protocol once', async () => {
      const body = { ...AGENT_BODY, protocols: ['x402', 'a2a', 'x402'] }
      const svcId = await registeredAgent(registry, newSigner(), body)
      expect((await registry.stores.agents.bySvcId(svcId))?.protocols).to.deep.equal(['x402', 'a2a'])
    })

    it('ignores unknown members and treats null as absent', async () => {
      const body = { name: 'n', novel: 1, description: null, model: null, pdlss: null, a2a: null }
      const svcId = await registeredAgent(registry, newSigner(), body)
      expect(await registry.stores.agents.bySvcId(svcId)).to.deep.include({
        description: null,
        model: null,
        pdlss: {},
        protocols: [],
      })
    })
  })

  describe('refuses', () => {
    const BAD: [what: string, change: object, pointer: string][] = [
      ['a missing name', { name: undefined }, '/name'],
      ['an empty name', { name: '' }, '/name'],
      ['a blank name', { name: ' \t' }, '/name'],
      ['a name of 201 characters', { name: 'x'.repeat(201) }, '/name'],
      ['a description of 2,001 characters', { description: 'x'.repeat(2001) }, '/description'],
      ['an apiEndpoint that is no URL', { apiEndpoint: 'nonsense' }, '/apiEndpoint'],
      ['an apiEndpoint of another scheme', { apiEndpoint: 'ftp://agent.shop-host.io' }, '/apiEndpoint'],
      ['an apiEndpoint with a password', { apiEndpoint: 'https://u:p@shop-host.io' }, '/apiEndpoint'],
      ['an apiEndpoint on this machine', { apiEndpoint: 'http://127.0.0.1:9' }, '/apiEndpoint'],
      ['an apiEndpoint in a private network', { apiEndpoint: 'http://intranet/x' }, '/apiEndpoint'],
      ['a script for an image', { image: 'javascript:alert(1)' }, '/image'],
      ['a model that is text', { model: 'large' }, '/model'],
      ['a protocol nobody knows', { protocols: ['a2a', 'xyz'] }, '/protocols/1'],
      ['an incomplete block', { a2a: { agentUrl: 'https://a.io' } }, '/a2a/skills'],
      ['a block that is a list', { x402: [] }, '/x402'],
      ['a misspelt rule', { pdlss: { purpose: { allowedAction: [] } } }, '/pdlss/purpose/allowedAction'],
      ['an unknown zone', { pdlss: { duration: { timezone: 'Mars/Base' } } }, '/pdlss/duration/timezone'],
      ['a consent that is text', { onChain: 'yes' }, '/onChain'],
      ['a consent without a signature', { onChain: { deadline: 9e9 } }, '/onChain/signature'],
    ]
    for (const [what, change, pointer] of BAD) {
      it(`${what}, names the field and stores nothing`, async () => {
        const before = await registry.stored()
        const { status, body } = await registerAgent(registry, newSigner(), { ...AGENT_BODY, ...change })
        expect([status, body.code]).to.deep.equal([400, 'VALIDATION_ERROR'])
        expect(body.errors.map((error: { pointer: string }) => error.pointer)).to.include(pointer)
        expect(await registry.stored()).to.deep.equal(before)
      })
    }

    it('a body that is malformed, too large or of another type, and stores nothing', async () => {
      const before = await registry.stored()
      const send = (body: string, type: string) =>
        fetch(`${registry.url}/api/agents/register`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': type },
          body,
        })
      const { personalKey: key } = await newPerson(registry)
      const { users } = await registry.stored()
      const statuses = [
        (await send('{"name":', 'application/json')).status,
        (await send(JSON.stringify({ name: 'x'.repeat(300 * 1024) }), 'application/json')).status,
        (await send('name=x', 'application/x-www-form-urlencoded')).status,
      ]
      expect(statuses).to.deep.equal([400, 413, 415])
      expect(await registry.stored()).to.deep.equal({ ...before, users })
    })

    it('a call without a credential, and an agent identifier as a credential', async () => {
      const path = '/api/agents/register'
      const nothing = await registry.call('POST', path, { body: AGENT_BODY })
      expect([nothing.status, nothing.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
      const headers = { 'X-Svc-Id': 'SVC-0000000000000000000000' }
      const identity = await registry.call('POST', path, { body: AGENT_BODY, headers })
      expect([identity.status, identity.body.code]).to.deep.equal([401, 'agent_identity_not_a_credential'])
    })

    it('a session, and a key whose account has no verified identity', async () => {
      const { bearer, personalKey, organizationKey } = await newPerson(registry)
      const call = async (credential: string) => {
        const request = { body: AGENT_BODY, bearer: credential }
        const { status, body } = await registry.call('POST', '/api/agents/register', request)
        return [status, body.code]
      }
      const before = await registry.stored()
      expect(await call(bearer)).to.deep.equal([401, 'UNAUTHENTICATED'])
      expect(await call(personalKey)).to.deep.equal([403, 'KYD_REQUIRED'])
      expect(await call(organizationKey)).to.deep.equal([403, 'KYD_REQUIRED'])
      expect(await registry.stored()).to.deep.equal(before)
    })

    it('a used nonce and a signature that is too old, and stores nothing', async () => {
      const signer = newSigner()
      const headers = await signer.headersOf(registry.time.now, '/api/agents/register', AGENT_BODY)
      const send = (by: typeof headers) =>
        registry.call('POST', '/api/agents/register', { body: AGENT_BODY, headers: by })
      expect((await send(headers)).status).to.equal(201)
      const before = await registry.stored()
      const again = await send(headers)
      expect([again.status, again.body.code]).to.deep.equal([401, 'nonce_reused'])
      const past = registry.time.now - 301_000
      const stale = await send(await signer.headersOf(past, '/api/agents/register', AGENT_BODY))
      expect([stale.status, stale.body.code]).to.deep.equal([401, 'signature_expired'])
      expect(await registry.stored()).to.deep.equal(before)
    })
  })
})

describe('POST /api/agents/register where private networks are allowed', () => {
  it('accepts an agent on this machine', async () => {
    const registry = await openRegistry({ allowPrivateNetwork: true })
    try {
      const body = { name: 'local', apiEndpoint: 'http://127.0.0.1:9/challenge' }
      const svcId = await registeredAgent(registry, newSigner(), body)
      expect((await registry.stores.agents.bySvcId(svcId))?.apiEndpoint).to.equal(body.apiEndpoint)
    } finally {
      await registry.close()
    }
  })
})
