import { expect } from 'chai'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('/api/agents/:id/approval-rules', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const path = () => `/api/agents/${agentId}/approval-rules`
  const put = async (rules: unknown, by = ada) =>
    by.call('PUT', path(), { body: { rules }, headers: { 'X-Svc-Elevation': await by.elevation() } })
  const recommended = async (fields: object) =>
    (await scene.verify(scene.asking(agentId, { transactionValue: 20, ...fields }))).body.recommendation

  it('returns the default: spend between the limits', async () => {
    const { status, body } = await ada.call('GET', path())
    expect([status, body.rules]).to.deep.equal([200, [{ dimension: 'spend', match: {} }]])
  })

  it('changes decisions immediately, and leaves the boundary unchanged', async () => {
    const { pdlssHash } = (await ada.call('GET', `/api/agents/${agentId}`)).body.agent
    expect(await recommended({})).to.equal('grant')
    expect(await recommended({ resource: '/elsewhere' })).to.equal('deny')
    const rules = [
      { dimension: 'purpose', match: { categories: ['shopping'], actions: ['shopping.buy'] } },
      { dimension: 'scope', match: { resources: ['/elsewhere/**', '/elsewhere'] } },
      { dimension: 'spend', match: { minValue: 10 } },
    ]
    const changed = await put(rules)
    expect([changed.status, changed.body.rules]).to.deep.equal([200, rules])
    expect((await ada.call('GET', path())).body.rules).to.deep.equal(rules)
    expect(await recommended({})).to.equal('step_up_required')
    expect(await recommended({ resource: '/elsewhere' })).to.equal('step_up_required')
    expect(await recommended({ resource: '/third' })).to.equal('deny')
    expect((await ada.call('GET', `/api/agents/${agentId}`)).body.agent.pdlssHash).to.equal(pdlssHash)
    expect((await put([])).status).to.equal(200)
    expect(await recommended({})).to.equal('grant')
  })

  it('records a change for the owner only, and nothing if nothing changes', async () => {
    const rules = [{ dimension: 'duration', match: {} }]
    await put(rules)
    await put(rules)
    const query = '/api/activity?eventType=agent.approval_rules_changed&limit=100'
    const { items } = (await ada.call('GET', query)).body
    const same = items.filter((event: { eventData: { dimensions: string[] } }) =>
      event.eventData.dimensions.includes('duration'),
    )
    expect(same.length).to.equal(1)
    const theirs = await scene.call('GET', query, { bearer: scene.shop.apiKey })
    expect(theirs.body.items).to.deep.equal([])
  })

  it('requires a session of the owner with a fresh passkey', async () => {
    const eve = await scene.owner()
    const body = { rules: [] }
    expect(outcome(await ada.call('PUT', path(), { body }))).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    const byKey = await scene.call('PUT', path(), { bearer: scene.shop.apiKey, body })
    expect(outcome(byKey)).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect(outcome(await put([], eve))).to.deep.equal([403, 'FORBIDDEN'])
    expect(outcome(await eve.call('GET', path()))).to.deep.equal([403, 'FORBIDDEN'])
    const unknown = await ada.call('GET', '/api/agents/SVC-0000000000000000000009/approval-rules')
    expect(outcome(unknown)).to.deep.equal([404, 'NOT_FOUND'])
  })

  for (const [what, rules] of [
    ['a dimension there is not', [{ dimension: 'colour', match: {} }]],
    ['a match that is misspelt', [{ dimension: 'scope', match: { resource: ['/x'] } }]],
    ['a rule without a match', [{ dimension: 'spend' }]],
    ['a negative value', [{ dimension: 'spend', match: { minValue: -1 } }]],
    ['more rules than fit', Array.from({ length: 101 }, () => ({ dimension: 'duration', match: {} }))],
    ['text', 'spend'],
  ] as const) {
    it(`refuses ${what} and changes nothing`, async () => {
      const before = (await ada.call('GET', path())).body.rules
      const refused = await put(rules)
      expect(outcome(refused)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(refused.body.errors[0].pointer).to.match(/^\/rules/)
      expect((await ada.call('GET', path())).body.rules).to.deep.equal(before)
    })
  }
})
