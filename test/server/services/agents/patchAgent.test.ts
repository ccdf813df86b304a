import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { AGENT_BODY } from './agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registeredAgent,
} from './openRegistry.ts'

describe('PATCH /api/agents/:id', () => {
  let registry: Registry
  let owner: Person
  let svcId: string
  const signer = newSigner()

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
  })
  beforeEach(async () => {
    svcId = await registeredAgent(registry, signer, AGENT_BODY)
  })
  after(() => registry.close())

  const patch = (body: unknown, bearer: string | undefined = owner.personalKey, id = svcId) =>
    registry.call('PATCH', `/api/agents/${id}`, { body, ...(bearer === undefined ? {} : { bearer }) })
  const row = async () => {
    const agent = await registry.stores.agents.bySvcId(svcId)
    if (!agent) throw new Error('the agent is gone')
    return agent
  }
  const fileHash = async () => sha256Hex(await readFile(join(registry.registrationFilesDir, `${svcId}.json`)))
  const eventTypes = async () => (await registry.log()).map((record) => record.event_type)

  it('changes the given fields and no others', async () => {
    registry.time.now += 1000
    const { status, body } = await patch({ name: 'Seller', description: null }, owner.bearer)
    expect(status).to.equal(200)
    expect(body.agent).to.include({ svcId, name: 'Seller', description: null, agentType: 'autonomous' })
    expect(body.agent.updatedAt).to.equal(new Date(registry.time.now).toISOString())
    expect(await row()).to.include({ name: 'Seller', description: null, image: AGENT_BODY.image })
    expect(registry.changed.at(-1)).to.equal(svcId)
  })

  it('records the changed fields, and nothing for a patch without changes', async () => {
    await patch({ name: 'Seller', image: AGENT_BODY.image })
    const record = (await registry.log()).at(-1)
    expect([record.event_type, record.agent_id]).to.deep.equal(['agent.updated', svcId])
    expect(record.event.changed).to.deep.equal(['name'])
    const before = await registry.stored()
    expect((await patch({ name: 'Seller' })).status).to.equal(200)
    expect(await registry.stored()).to.deep.equal(before)
  })

  it('merges blocks by RFC 7396 and validates the result', async () => {
    const change = { a2a: { extra: { added: 1, kept: null }, transport: 'GRPC' } }
    expect((await patch(change)).status).to.equal(200)
    expect((await row()).declarations.a2a).to.deep.equal({
      ...AGENT_BODY.a2a,
      extra: { added: 1 },
      transport: 'GRPC',
    })
    const broken = await patch({ a2a: { agentUrl: null } })
    expect([broken.status, broken.body.errors[0].pointer]).to.deep.equal([400, '/a2a/agentUrl'])
  })

  it('removes a protocol together with its block, and adds both through the block', async () => {
    await patch({ protocols: ['x402'], ucp: { manifestUrl: 'https://a-host.io/.well-known/ucp' } })
    const { protocols, declarations } = await row()
    expect(protocols).to.deep.equal(['x402', 'ucp'])
    expect(Object.keys(declarations)).to.deep.equal(['ucp'])
    await patch({ ucp: null })
    expect((await row()).declarations).to.deep.equal({})
  })

  it('refuses to change immutable fields, naming each', async () => {
    const change = { pdlss: {}, model: null, framework: 'x', agentType: 'other', apiEndpoint: 5, name: 'no' }
    const before = await registry.stored()
    const { status, body } = await patch(change)
    expect([status, body.code, body.error]).to.deep.equal([409, 'pdlss_immutable', 'pdlss_immutable'])
    const pointers = body.errors.map((error: { pointer: string }) => error.pointer)
    expect(pointers).to.have.members(['/pdlss', '/model', '/framework', '/agentType', '/apiEndpoint'])
    expect((await row()).name).to.equal('Buyer')
    expect(await registry.stored()).to.deep.equal(before)
  })

  it('refuses an immutable field with endless nesting', async () => {
    const pdlss = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`)
    expect((await patch({ pdlss })).status).to.equal(409)
  })

  it('accepts the fields as read, because none of them differs', async () => {
    const { agent } = (await registry.call('GET', `/api/agents/${svcId}`, { bearer: owner.bearer })).body
    const { status, body } = await patch({ ...agent, name: 'Seller' })
    expect([status, body.agent?.name]).to.deep.equal([200, 'Seller'])
  })

  const BAD: [what: string, change: unknown, pointer: string][] = [
    ['a misspelt member', { nmae: 'Seller' }, '/nmae'],
    ['no name', { name: null }, '/name'],
    ['an image that is no URL', { image: 'face' }, '/image'],
    ['a protocol nobody knows', { protocols: ['xyz'] }, '/protocols/0'],
    ['a block that is text', { x402: 'yes' }, '/x402'],
    ['a new block that is incomplete', { tap: { visaAgentId: 'v' } }, '/tap/publicKey'],
    ['a list for a patch', [], ''],
  ]
  for (const [what, change, pointer] of BAD) {
    it(`refuses ${what} and stores nothing`, async () => {
      const before = await registry.stored()
      const { status, body } = await patch(change)
      expect([status, body.code, body.errors[0].pointer]).to.deep.equal([400, 'VALIDATION_ERROR', pointer])
      expect(await registry.stored()).to.deep.equal(before)
    })
  }

  it('is available to the owner only', async () => {
    const stranger = await newPerson(registry)
    for (const bearer of [stranger.bearer, stranger.personalKey, stranger.organizationKey]) {
      const { status, body } = await patch({ name: 'Mine' }, bearer)
      expect([status, body.code]).to.deep.equal([403, 'FORBIDDEN'])
    }
    const nobody = await registry.call('PATCH', `/api/agents/${svcId}`, { body: { name: 'Mine' } })
    expect([nobody.status, nobody.body.code]).to.deep.equal([401, 'UNAUTHENTICATED'])
    const unknown = await patch({ name: 'n' }, owner.bearer, 'SVC-0000000000000000000000')
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    expect((await row()).name).to.equal('Buyer')
  })

  it('rewrites the registration file, and commits to it only for an agent on chain', async () => {
    const before = await eventTypes()
    await patch({ name: 'Seller' })
    expect((await eventTypes()).slice(before.length)).to.deep.equal(['agent.updated'])
    expect(await fileHash()).to.equal((await row()).registrationFileHash)

    const onChain = { chainAgentId: 8, chainRegistry: 'eip155:1:0x01', blockchainStatus: 'verified' as const }
    await registry.db.transaction((trx) => registry.stores.agents.update(trx, svcId, onChain))
    await registry.onIdentityConfirmed(svcId)
    const confirmed = await eventTypes()
    await patch({ name: 'Trader' })
    const later = (await registry.log()).slice(confirmed.length)
    expect(later.map((record) => record.event_type)).to.deep.equal([
      'agent.updated',
      'agent.registration_file_published',
    ])
    expect(later[1].entry.subject.sha256).to.equal(await fileHash())
    await patch({ a2a: { extra: { only: 'card' } } })
    expect((await eventTypes()).slice(confirmed.length + 2)).to.deep.equal(['agent.updated'])
  })

  it('leaves the file of the last of many concurrent changes', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `Name ${i}`)
    await Promise.all(names.map((name) => patch({ name })))
    expect(await fileHash()).to.equal((await row()).registrationFileHash)
  })
})
