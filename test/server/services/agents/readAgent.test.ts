import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@svc/core/hash.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import { expect } from 'chai'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { AGENT_BODY, SECRETS } from './agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  PUBLIC_URL,
  type Registry,
  registeredAgent,
} from './openRegistry.ts'

const CHAIN_REGISTRY = 'eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3'

describe('reading agents', () => {
  let registry: Registry
  let owner: Person
  let stranger: Person
  let svcId: string
  const signer = newSigner()

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    stranger = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
    svcId = await registeredAgent(registry, signer, AGENT_BODY)
  })
  after(() => registry.close())

  const get = (path: string, bearer?: string) => registry.call('GET', path, bearer ? { bearer } : {})

  describe('GET /api/agents/:id', () => {
    it('shows identity, score, status and links to anyone, by identifier and by UUID', async () => {
      const { status, body } = await get(`/api/agents/${svcId}`)
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        success: true,
        agent: {
          svcId,
          name: 'Buyer',
          description: 'Buys what is missing',
          agentType: 'autonomous',
          image: 'https://agent.shop-host.io/face.png',
          protocols: ['x402', 'a2a'],
          trustScore: body.agent.trustScore,
          agentStatus: 'active',
          blockchainStatus: 'pending',
          runtimeChallengeSupported: true,
          onChainIdentity: null,
          agentCardUrl: `${PUBLIC_URL}/.well-known/agents/${svcId}.json`,
          registrationFileUrl: `${PUBLIC_URL}/registration-files/${svcId}.json`,
          registeredAt: new Date(registry.time.now).toISOString(),
        },
      })
      const agent = await registry.stores.agents.bySvcId(svcId)
      expect((await get(`/api/agents/${agent?.id.toUpperCase()}`)).body).to.deep.equal(body)
    })

    it('shows the boundary to the owner only', async () => {
      for (const bearer of [undefined, stranger.bearer, stranger.personalKey, stranger.organizationKey]) {
        for (const path of [`/api/agents/${svcId}`, `/api/agents/${svcId}/card`]) {
          const { status, body } = await get(path, bearer)
          expect(status).to.equal(200)
          for (const secret of SECRETS)
            expect(containsValue(JSON.stringify(body), secret), secret).to.equal(false)
        }
      }
    })

    it('shows the owner everything, by session and by API key', async () => {
      for (const bearer of [owner.bearer, owner.personalKey, owner.organizationKey]) {
        const { agent } = (await get(`/api/agents/${svcId}`, bearer)).body
        expect(agent).to.deep.include({
          svcId,
          ownerIdentifier: owner.developerId,
          apiEndpoint: AGENT_BODY.apiEndpoint,
          model: AGENT_BODY.model,
          framework: AGENT_BODY.framework,
          pdlss: AGENT_BODY.pdlss,
          a2a: AGENT_BODY.a2a,
          approvalRules: [{ dimension: 'spend', match: {} }],
        })
        expect(agent.pdlssHash).to.equal(hashPdlss(agent.pdlssSalt, agent.pdlss))
      }
    })

    it('returns 404 for an unknown agent, 405 for a path of another method, 401 for an invalid credential', async () => {
      const unknown = await get('/api/agents/SVC-0000000000000000000000')
      expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND'])
      expect((await get('/api/agents/unknown')).status).to.equal(404)
      expect((await get('/api/agents/verify-access')).status).to.equal(405)
      expect((await get(`/api/agents/${svcId}`, 'nonsense')).status).to.equal(401)
    })

    it('recomputes the score from the agent’s activity and its state on chain', async () => {
      const other = newSigner()
      const id = await registeredAgent(registry, other, { name: 'Busy' })
      const score = async () => (await get(`/api/agents/${id}`)).body.agent.trustScore
      const first = await score()
      await registry.db.query('feed.agent_behaviour').insert({
        agent_id: id,
        grants: 0,
        violations: 100,
        updated_at: registry.time.now,
      })
      const lowered = await score()
      expect(lowered).to.be.below(first)
      await registry.db.transaction((trx) =>
        registry.stores.agents.update(trx, id, { blockchainStatus: 'verified' }),
      )
      expect(await score()).to.be.above(lowered)
    })
  })

  describe('the agent card', () => {
    it('is the same at both paths and commits to the boundary without revealing it', async () => {
      const { status, body } = await get(`/.well-known/agents/${svcId}.json`)
      expect(status).to.equal(200)
      expect((await get(`/api/agents/${svcId}/card`)).body).to.deep.equal(body)
      expect(body.signatures).to.have.length(3)
      const agent = await registry.stores.agents.bySvcId(svcId)
      expect(body.pdlss).to.deep.equal({ declared: ['purpose', 'limits'], hash: agent?.pdlssHash })
      expect(body).to.deep.include({
        name: 'Buyer',
        svcId,
        verificationEndpoint: `${PUBLIC_URL}/api/agents/verify-access`,
        jwksUrl: `${PUBLIC_URL}/.well-known/agents/${svcId}/jwks.json`,
        runtimeChallengeSupported: true,
        protocols: { x402: {}, a2a: AGENT_BODY.a2a },
        onChainIdentity: null,
      })
      expect(body.supportedInterfaces[0].url).to.equal(AGENT_BODY.a2a.agentUrl)
    })

    it('shows the owner the boundary, which matches the hash', async () => {
      const { pdlss } = (await get(`/api/agents/${svcId}/card`, owner.personalKey)).body
      expect(pdlss.boundary).to.deep.equal(AGENT_BODY.pdlss)
      expect(hashPdlss(pdlss.salt, pdlss.boundary)).to.equal(pdlss.hash)
    })

    it('of an unknown agent is a 404', async () => {
      expect((await get('/.well-known/agents/SVC-0000000000000000000000.json')).status).to.equal(404)
    })
  })

  describe('the registration file', () => {
    const bytesOf = async (id: string) => {
      const response = await fetch(`${registry.url}/registration-files/${id}.json`)
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const storedHash = async (id: string) => (await registry.stores.agents.bySvcId(id))?.registrationFileHash

    it('is served with exactly the bytes of the stored hash', async () => {
      const { status, bytes } = await bytesOf(svcId)
      expect([status, sha256Hex(bytes)]).to.deep.equal([200, await storedHash(svcId)])
    })

    it('is restored with the same bytes if it was lost or damaged', async () => {
      const { bytes } = await bytesOf(svcId)
      const file = join(registry.registrationFilesDir, `${svcId}.json`)
      await rm(file)
      expect((await bytesOf(svcId)).bytes).to.deep.equal(bytes)
      await writeFile(file, '{"half":')
      expect((await bytesOf(svcId)).bytes).to.deep.equal(bytes)
    })

    it('is found under identifiers only', async () => {
      await writeFile(join(registry.dataDir, 'outside.json'), '{}')
      for (const name of ['SVC-0000000000000000000000', '..%2Foutside', '..%2f..%2fetc%2fpasswd', 'x']) {
        const { status } = await bytesOf(name)
        expect(status, name).to.equal(404)
      }
    })
  })

  describe('after the identity is final on chain', () => {
    let minted: string
    const publications = async () =>
      (await registry.log()).filter((record) => record.event_type === 'agent.registration_file_published')

    before(async () => {
      minted = await registeredAgent(registry, newSigner(), AGENT_BODY)
      await registry.db.transaction((trx) =>
        registry.stores.agents.update(trx, minted, {
          blockchainStatus: 'verified',
          chainAgentId: 7,
          chainRegistry: CHAIN_REGISTRY,
          chainTransaction: `0x${'ab'.repeat(32)}`,
          chainBlock: 12,
        }),
      )
      await registry.onIdentityConfirmed(minted)
    })

    it('the file contains the registration, and the log commits to its bytes', async () => {
      const response = await fetch(`${registry.url}/registration-files/${minted}.json`)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(JSON.parse(bytes.toString()).registrations).to.deep.equal([
        { agentId: 7, agentRegistry: CHAIN_REGISTRY },
      ])
      const [record] = await publications()
      expect(record.agent_id).to.equal(minted)
      expect(record.entry.subject).to.deep.equal({ svcId: minted, agentId: '7', sha256: sha256Hex(bytes) })
    })

    it('a second confirmation commits to nothing new', async () => {
      const before = (await publications()).length
      await registry.onIdentityConfirmed(minted)
      expect((await publications()).length).to.equal(before)
    })

    it('agent and card show the registration', async () => {
      const { agent } = (await get(`/api/agents/${minted}`)).body
      expect(agent.blockchainStatus).to.equal('verified')
      expect(agent.onChainIdentity).to.deep.equal({
        agentId: 7,
        agentRegistry: CHAIN_REGISTRY,
        transactionHash: `0x${'ab'.repeat(32)}`,
        blockNumber: 12,
        custody: null,
        owner: null,
        agentWallet: null,
        tokenUri: null,
        isTokenUriCurrent: null,
      })
      const card = (await get(`/.well-known/agents/${minted}.json`)).body
      expect(card.onChainIdentity).to.deep.equal({ agentId: 7, agentRegistry: CHAIN_REGISTRY })
    })

    it('the host’s registrations include it', async () => {
      const { body } = await get('/.well-known/agent-registration.json')
      expect(body).to.deep.equal({
        registrations: [{ agentId: 7, agentRegistry: CHAIN_REGISTRY }],
        next: null,
      })
      expect((await get('/.well-known/agent-registration.json?after=7')).body.registrations).to.deep.equal([])
      expect((await get('/.well-known/agent-registration.json?after=x')).status).to.equal(400)
    })

    it('the caches are invalidated', () => {
      expect(registry.changed.filter((id) => id === minted).length).to.be.at.least(2)
    })
  })
})
