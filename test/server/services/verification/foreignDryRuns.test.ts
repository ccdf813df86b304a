import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const DAY_MS = 24 * 3_600_000

type Seen = { eventType: string; auditRecordId: string; eventData: Record<string, unknown> }
type Alert = { code: string; severity: string; message: string; data: Record<string, string> }

describe('a dry run by anyone but the agent’s owner', () => {
  let scene: OwnerScene
  let ada: Owner

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  const tried = (agentId: string, fields: object = {}, by: Organisation = scene.shop) =>
    scene.verifyUnproven({ ...scene.asking(agentId), dryRun: true, ...fields }, by)
  const eventsOf = async (bearer: string, agentId: string): Promise<Seen[]> =>
    (await scene.call('GET', `/api/activity?agent=${agentId}&eventType=verification.dry_run`, { bearer }))
      .body.items
  const warnings = async (owner: Owner, agentId: string): Promise<Alert[]> =>
    (await owner.call('GET', '/api/alerts?limit=100')).body.items.filter(
      ({ code, data }: Alert) => code === 'limit_probing' && data.agentId === agentId,
    )
  const another = async () => {
    const by = await createOrganisation(scene.baseUrl)
    return { by, counterpartyId: await registerEndpoint(scene.baseUrl, by.apiKey) }
  }

  it('tells that it would not be granted, and neither why nor that the owner would be asked', async () => {
    const pdlss = { scope: { deniedResources: ['/admin'] } }
    const strict = await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { pdlss })
    const failing = [
      { transactionValue: 90_000 },
      { transactionValue: 150 },
      { purpose: 'gaming', jurisdiction: 'FR', sessionDuration: 9_999_999, transactionValue: 90_000 },
      { transactionValue: 1, counterpartyId: strict, resource: '/admin' },
    ]
    const answers = []
    for (const fields of failing) answers.push(await tried(await ada.agent(), fields))
    const suspended = await ada.agent()
    await scene.store('UPDATE agents SET status = ? WHERE svc_id = ?', 'suspended', suspended)
    answers.push(await tried(suspended, { transactionValue: 1 }))
    for (const { status, body } of answers) {
      expect(status).to.equal(200)
      expect(body.recommendation).to.equal('deny')
      expect(body.access).to.deep.equal({
        allowed: false,
        accessLevel: 'none',
        reason: 'The request is not within the mandate of the agent.',
        failures: [
          {
            dimension: 'mandate',
            message: 'The request is not within the mandate of the agent.',
            guidance: 'Ask the agent owner, or send the request itself.',
            docsUrl: `${scene.appUrl}/docs/denials#mandate`,
          },
        ],
      })
      expect(body.recommendationReasons).to.deep.equal([body.access.reason])
      expect(body).to.not.have.any.keys('stepUpApproval', 'sessionId', 'auditRecordId')
    }
  })

  it('is recorded like that for both parties, and replayed from its record', async () => {
    const agentId = await ada.agent()
    await tried(agentId, { purpose: 'gaming', transactionValue: 90_000 })
    await tried(agentId, { transactionValue: 1 })
    const theirs = await eventsOf(scene.shop.apiKey, agentId)
    const own = (await ada.call('GET', `/api/activity?agent=${agentId}&eventType=verification.dry_run`)).body
      .items
    for (const events of [theirs, own]) {
      expect(
        events.map(({ eventData }: Seen) => [
          eventData.recommendation,
          eventData.accessLevel === 'none',
          eventData.dimensions,
        ]),
      ).to.deep.equal([
        ['grant', false, []],
        ['deny', true, ['mandate']],
      ])
    }
    for (const { auditRecordId } of theirs) {
      const path = `/api/audit/records/${auditRecordId}/replay`
      const { body } = await scene.call('POST', path, { bearer: scene.shop.apiKey })
      expect(body).to.include({ reproduced: true, inputsMatch: true })
      expect(body.replayed.dimensions).to.deep.equal(body.recorded.dimensions)
    }
    const entries = await scene.store('SELECT entry FROM audit_records WHERE agent_id = ?', agentId)
    expect(JSON.stringify(entries)).to.not.include('pdlss.')
  })

  it('is possible five times a day for an account and agent', async () => {
    const agentId = await ada.agent()
    for (let nth = 0; nth < 5; nth += 1) expect((await tried(agentId)).status).to.equal(200)
    const refused = await tried(agentId)
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('Retry-After'))).to.equal(DAY_MS / 1000)
    expect((await eventsOf(scene.shop.apiKey, agentId)).length).to.equal(5)
    expect((await tried(await ada.agent())).status).to.equal(200)
    const { by, counterpartyId } = await another()
    expect((await tried(agentId, { counterpartyId }, by)).status).to.equal(200)
    scene.time.now += DAY_MS
    expect((await tried(agentId)).status).to.equal(200)
  })

  it('is possible twenty times a day for an agent, however many accounts ask', async () => {
    const agentId = await ada.agent()
    for (let account = 0; account < 4; account += 1) {
      const { by, counterpartyId } = await another()
      for (let nth = 0; nth < 5; nth += 1)
        expect((await tried(agentId, { counterpartyId }, by)).status).to.equal(200)
    }
    const { by, counterpartyId } = await another()
    const refused = await tried(agentId, { counterpartyId }, by)
    expect([refused.status, refused.headers.get('Retry-After')]).to.deep.equal([429, String(DAY_MS / 1000)])
    expect((await tried(await ada.agent(), { counterpartyId }, by)).status).to.equal(200)
  })

  it('warns the owner from the third on, once a day, and names the endpoint but not its account', async () => {
    const agentId = await ada.agent()
    for (let nth = 0; nth < 2; nth += 1) await tried(agentId)
    const later = await ada.agent()
    for (let nth = 0; nth < 6; nth += 1) await tried(later)
    const [alert] = await waitUntil(async () => {
      const found = await warnings(ada, later)
      return found.length > 0 ? found : null
    })
    expect(alert).to.deep.include({
      severity: 'warning',
      message: `${scene.svceId} is trying out the limits of one of your agents.`,
      data: { agentId: later, endpointId: scene.svceId, counterpartyType: 'api' },
    })
    expect((await warnings(ada, later)).length).to.equal(1)
    expect(await warnings(ada, agentId)).to.deep.equal([])
    scene.time.now += DAY_MS
    for (let nth = 0; nth < 3; nth += 1) await tried(later)
    await waitUntil(async () => ((await warnings(ada, later)).length === 2 ? true : null))
  })

  it('names the URL of an endpoint that nobody has registered', async () => {
    const agentId = await ada.agent()
    const counterpartyUrl = 'https://unclaimed.acme.io/shop'
    const fields = { counterpartyId: undefined, counterpartyUrl }
    for (let nth = 0; nth < 3; nth += 1) await tried(agentId, fields)
    const [alert] = await waitUntil(async () => {
      const found = await warnings(ada, agentId)
      return found.length > 0 ? found : null
    })
    expect(alert?.data).to.include({ counterpartyUrl })
    expect(alert?.message).to.equal(`${counterpartyUrl} is trying out the limits of one of your agents.`)
  })

  it('leaves owners their own dry runs: as many as they like, answered in full and not recorded', async () => {
    const organizationId = await ada.organizationWith([])
    const { key: apiKey } = (
      await ada.call('POST', '/api/api-keys', { body: { name: 'key', organizationId } })
    ).body
    const by = { ...scene.shop, apiKey }
    const counterpartyId = await registerEndpoint(scene.baseUrl, apiKey)
    const agentId = await ada.agent()
    for (let nth = 0; nth < 25; nth += 1) {
      const { status, body } = await tried(agentId, { counterpartyId }, by)
      expect([status, body.recommendation]).to.deep.equal([200, 'step_up_required'])
      expect(body.access.restrictions).to.be.an('array')
      expect(body.access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.deep.equal([
        'commerce.intent.approval_required',
      ])
    }
    const outside = { counterpartyId, purpose: 'gaming', transactionValue: 90_000 }
    const { body } = await tried(agentId, outside, by)
    expect(body.access.failures.map(({ dimension }: { dimension: string }) => dimension)).to.deep.equal([
      ...['pdlss.purpose', 'pdlss.limits'],
    ])
    expect(await eventsOf(apiKey, agentId)).to.deep.equal([])
    expect(await warnings(ada, agentId)).to.deep.equal([])
  })
})
