import { expect } from 'chai'
import { OPERATOR_SETTINGS, signInOperator } from '../../../builders/signInOperator.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('/api/admin/agents/:id/certifications', () => {
  let scene: OwnerScene
  let ada: Owner
  let reviewer: Awaited<ReturnType<typeof signInOperator>>
  let agentId: string
  let svceId: string

  before(async () => {
    scene = await openOwnerScene(OPERATOR_SETTINGS)
    reviewer = await signInOperator(scene.baseUrl)
    ada = await scene.owner()
    const made = await scene.call('POST', '/api/endpoints', {
      bearer: scene.shop.apiKey,
      body: {
        name: 'Certified only',
        counterpartyType: 'api',
        counterpartyUrl: 'https://certified.acme.io',
        pdlss: { scope: { requiredCertifications: ['SOC-2', 'ISO/IEC 27001'] } },
      },
    })
    svceId = made.body.svceId
  })
  beforeEach(async () => {
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const path = (name?: string, id = agentId) =>
    `/api/admin/agents/${id}/certifications${name === undefined ? '' : `/${encodeURIComponent(name)}`}`
  const change = async (method: 'PUT' | 'DELETE', name: string, id = agentId) =>
    scene.call(method, path(name, id), {
      bearer: reviewer.bearer,
      headers: { 'x-svc-elevation': await reviewer.elevation() },
    })
  it('refuses a grant with members, because it has no options', async () => {
    const { status, body } = await scene.call('PUT', path('SOC-2'), {
      bearer: reviewer.bearer,
      headers: { 'x-svc-elevation': await reviewer.elevation() },
      body: { expiresAt: '2030-01-01' },
    })
    expect([status, body.errors[0].pointer]).to.deep.equal([400, '/expiresAt'])
  })

  const grant = (name: string, id?: string) => change('PUT', name, id)
  const withdraw = (name: string, id?: string) => change('DELETE', name, id)
  const verify = async (fields: object = {}) => {
    const { body } = await scene.verify(scene.asking(agentId, { transactionValue: 20, ...fields }))
    const failures: { dimension: string }[] = body.access.failures ?? []
    return [body.recommendation, ...failures.map(({ dimension }) => dimension)]
  }
  const owned = async () => (await ada.call('GET', `/api/agents/${agentId}`)).body.agent

  it('open an endpoint that requires them from the next decision, and close it again', async () => {
    const required = { counterpartyId: svceId }
    expect(await verify(required)).to.deep.equal(['deny', 'endpoint.certifications'])
    const one = await grant('SOC-2')
    expect([one.status, one.body]).to.deep.equal([
      200,
      { success: true, svcId: agentId, certifications: ['SOC-2'] },
    ])
    expect(await verify(required)).to.deep.equal(['deny', 'endpoint.certifications'])
    expect((await grant('ISO/IEC 27001')).body.certifications).to.deep.equal(['SOC-2', 'ISO/IEC 27001'])
    expect(await verify(required)).to.deep.equal(['grant'])
    expect((await withdraw('SOC-2')).body).to.deep.equal({
      success: true,
      svcId: agentId,
      certifications: ['ISO/IEC 27001'],
    })
    expect(await verify(required)).to.deep.equal(['deny', 'endpoint.certifications'])
  })

  it('confirm a claim of the agent, which raises its score', async () => {
    const claim = { certifications: ['SOC-2'] }
    expect(await verify(claim)).to.deep.equal(['deny', 'endpoint.certifications'])
    const { trustScore } = await owned()
    await grant('SOC-2')
    expect(await verify(claim)).to.deep.equal(['grant'])
    expect((await owned()).trustScore).to.be.above(trustScore)
  })

  it('are visible only to operators and the owner', async () => {
    await grant('SOC-2')
    const listed = await scene.call('GET', path(), { bearer: reviewer.bearer })
    expect([listed.status, listed.body.certifications]).to.deep.equal([200, ['SOC-2']])
    expect((await owned()).certifications).to.deep.equal(['SOC-2'])
    const { agent } = (await scene.call('GET', `/api/agents/${agentId}`)).body
    expect(agent).not.to.have.property('certifications')
  })

  it('leave one record and an event that only the owner can see, naming the operator and the change', async () => {
    await grant('SOC-2')
    expect((await grant('SOC-2')).body.certifications).to.deep.equal(['SOC-2'])
    await withdraw('SOC-2')
    const query = `/api/activity?agent=${agentId}&limit=100`
    const { items } = (await ada.call('GET', query)).body as {
      items: { eventType: string; eventData: object; auditRecordId: string }[]
    }
    const changes = items.filter(({ eventType }) => eventType.startsWith('agent.certification_'))
    expect(changes.map(({ eventType }) => eventType)).to.deep.equal([
      'agent.certification_withdrawn',
      'agent.certification_granted',
    ])
    const agentName = (await owned()).name
    const told = { agentName, certification: 'SOC-2', decidedBy: reviewer.user.developerId }
    for (const { eventData } of changes) expect(eventData).to.deep.equal(told)
    const record = await ada.call('GET', `/api/audit/records/${changes[0]?.auditRecordId}`)
    expect(record.status).to.equal(200)
    const theirs = await scene.call('GET', '/api/activity?eventType=agent.certification_granted', {
      bearer: scene.shop.apiKey,
    })
    expect(theirs.body.items).to.deep.equal([])
  })

  it('do not affect the replay of earlier decisions', async () => {
    const denied = (
      await scene.verify(scene.asking(agentId, { counterpartyId: svceId, transactionValue: 20 }))
    ).body
    await grant('SOC-2')
    await grant('ISO/IEC 27001')
    const replay = await scene.call('POST', `/api/audit/records/${denied.auditRecordId}/replay`, {
      bearer: scene.shop.apiKey,
    })
    expect(replay.status).to.equal(200)
    expect(replay.body).to.include({ reproduced: true, inputsMatch: true })
    expect(replay.body.replayed.recommendation).to.equal('deny')
  })

  it('can be granted to active and suspended agents, and revoked from any', async () => {
    await grant('SOC-2')
    expect((await ada.call('POST', `/api/agents/${agentId}/suspend`)).status).to.equal(200)
    expect((await grant('PCI-DSS')).status).to.equal(200)
    expect((await ada.call('POST', `/api/agents/${agentId}/retire`)).status).to.equal(200)
    expect(outcome(await grant('ISO 9001'))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await withdraw('SOC-2')).body.certifications).to.deep.equal(['PCI-DSS'])
  })

  it('cannot be granted by an operator to the operator’s own agent', async () => {
    await scene.store('UPDATE agents SET owner_id = ? WHERE svc_id = ?', reviewer.user.developerId, agentId)
    expect(outcome(await grant('SOC-2'))).to.deep.equal([403, 'FORBIDDEN'])
    const listed = await scene.call('GET', path(), { bearer: reviewer.bearer })
    expect(listed.body.certifications).to.deep.equal([])
  })

  it('are limited to the number that an endpoint can require', async () => {
    const full = Array.from({ length: 100 }, (_, nth) => `C${nth}`)
    await scene.store('UPDATE agents SET certifications = ? WHERE svc_id = ?', JSON.stringify(full), agentId)
    expect(outcome(await grant('C100'))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await grant('C99')).status).to.equal(200)
  })

  for (const [what, name] of [
    ['a control character', 'SOC\n2'],
    ['a sign nobody sees', 'SOC\u200b-2'],
    ['a space at its end', 'SOC-2 '],
    ['two spaces', 'SOC  2'],
    ['more characters than fit', 'S'.repeat(201)],
  ] as const) {
    it(`cannot have a name with ${what}`, async () => {
      const refused = await grant(name)
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect((await owned()).certifications).to.deep.equal([])
    })
  }

  it('can be changed by an operator with a fresh passkey only, for an existing agent', async () => {
    const bearer = reviewer.bearer
    for (const method of ['PUT', 'DELETE']) {
      const bare = await scene.call(method, path('SOC-2'), { bearer })
      expect(outcome(bare)).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const headers = { 'x-svc-elevation': await ada.elevation() }
      expect(outcome(await ada.call(method, path('SOC-2'), { headers }))).to.deep.equal([403, 'FORBIDDEN'])
      const byKey = await scene.call(method, path('SOC-2'), { bearer: scene.shop.apiKey })
      expect(outcome(byKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    }
    const unknown = 'SVC-0000000000000000000009'
    expect(outcome(await grant('SOC-2', unknown))).to.deep.equal([404, 'NOT_FOUND'])
    expect(outcome(await withdraw('SOC-2', unknown))).to.deep.equal([404, 'NOT_FOUND'])
    expect(outcome(await scene.call('GET', path(undefined, unknown), { bearer }))).to.deep.equal([
      404,
      'NOT_FOUND',
    ])
    expect(outcome(await withdraw('SOC-2'))).to.deep.equal([404, 'NOT_FOUND'])
  })
})
