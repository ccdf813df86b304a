import { expect } from 'chai'
import type { Owner } from '../approvals/openOwnerScene.ts'
import { type KeyScene, openKeyScene } from './keys/openKeyScene.ts'

describe('/api/agents/:id/settings', () => {
  let scene: KeyScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const pathOf = (id = agentId) => `/api/agents/${id}/settings`
  const put = async (body: unknown, by = ada, id = agentId) =>
    by.call('PUT', pathOf(id), { body, headers: await scene.elevated(by) })
  const read = async () => {
    const { success: _, ...settings } = (await ada.call('GET', pathOf())).body
    return settings
  }

  it('require nothing by default, and a signature once the agent has registered a key', async () => {
    const requiredFacts: string[] = []
    const nothing = {
      ...{ minIdentityProof: null, effectiveMinIdentityProof: 'none' },
      ...{ requiredFacts, effectiveRequiredFacts: requiredFacts, isListed: false },
      inherited: { minIdentityProof: 'none', requiredFacts },
    }
    expect(await read()).to.deep.equal(nothing)
    const kid = await scene.added(ada, agentId)
    const signature = { ...nothing, effectiveMinIdentityProof: 'signature' }
    expect(await read()).to.deep.equal(signature)
    await scene.revoke(ada, agentId, kid)
    expect(await read()).to.deep.equal(signature)
  })

  it('decide about requests from the response on, and can be replayed', async () => {
    await put({ minIdentityProof: 'token' })
    expect(await scene.failures(agentId)).to.deep.equal(['agent.proof'])
    const changed = await put({ minIdentityProof: 'none', requiredFacts: ['resource', 'currency'] })
    expect(changed.body).to.deep.include({
      minIdentityProof: 'none',
      requiredFacts: ['resource', 'currency'],
    })
    expect(await scene.failures(agentId)).to.deep.equal([])
    const unstated = scene.asking(agentId, { transactionValue: 1, resource: undefined, currency: undefined })
    const { access, auditRecordId } = (await scene.verify(unstated)).body
    const dimensions = access.failures.map(({ dimension }: { dimension: string }) => dimension)
    expect(dimensions).to.deep.equal(['pdlss.limits', 'pdlss.scope'])
    const replayed = await ada.call('POST', `/api/audit/records/${auditRecordId}/replay`)
    expect(replayed.body).to.include({ reproduced: true })
  })

  it('can lower what the agent requires although it has keys, and return to the default', async () => {
    await scene.added(ada, agentId)
    await put({ minIdentityProof: 'none' })
    expect(await scene.failures(agentId)).to.deep.equal([])
    expect((await put({ minIdentityProof: null })).body.effectiveMinIdentityProof).to.equal('signature')
    expect(await scene.failures(agentId)).to.deep.equal(['agent.proof'])
  })

  it('stay as they are where a change leaves them out', async () => {
    await put({ minIdentityProof: 'challenge', requiredFacts: ['purpose'] })
    await put({ requiredFacts: [] })
    expect((await read()).minIdentityProof).to.equal('challenge')
    await put({ minIdentityProof: 'token' })
    await put({})
    expect(await read()).to.deep.include({ minIdentityProof: 'token', requiredFacts: [] })
  })

  it('are recorded when they change, for the owner only', async () => {
    await put({ minIdentityProof: 'token' })
    await put({ minIdentityProof: 'token' })
    const found = await scene.events(ada, agentId, 'agent.settings_changed')
    expect(found.length).to.equal(1)
    expect(found[0].eventData).to.deep.include({ minIdentityProof: 'token', requiredFacts: [] })
    const query = '/api/activity?eventType=agent.settings_changed'
    const theirs = await scene.call('GET', query, { bearer: scene.shop.apiKey })
    expect(theirs.body.items).to.deep.equal([])
  })

  it('require a session of the owner, to change them with a fresh passkey', async () => {
    const eve = await scene.owner()
    const body = { minIdentityProof: 'none' }
    expect(outcome(await ada.call('PUT', pathOf(), { body }))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    const byKey = await scene.call('PUT', pathOf(), { bearer: scene.shop.apiKey, body })
    expect(outcome(byKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect(outcome(await put(body, eve))).to.deep.equal([403, 'FORBIDDEN'])
    expect(outcome(await eve.call('GET', pathOf()))).to.deep.equal([403, 'FORBIDDEN'])
    const unknown = 'SVC-0000000000000000000009'
    expect(outcome(await ada.call('GET', pathOf(unknown)))).to.deep.equal([404, 'NOT_FOUND'])
    expect(outcome(await put(body, ada, unknown))).to.deep.equal([404, 'NOT_FOUND'])
  })

  for (const [what, body, pointer] of [
    ['an unknown grade', { minIdentityProof: 'passport' }, '/minIdentityProof'],
    ['an unknown fact', { requiredFacts: ['weather'] }, '/requiredFacts/0'],
    ['a misspelt setting', { minIdentityProofs: 'none' }, '/minIdentityProofs'],
    ['no list of facts', { requiredFacts: null }, '/requiredFacts'],
  ] as const) {
    it(`refuse ${what} and change nothing`, async () => {
      const refused = await put(body)
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors[0].pointer).to.equal(pointer)
      expect((await read()).minIdentityProof).to.equal(null)
    })
  }
})
