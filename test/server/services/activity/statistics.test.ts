import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Limits by which a leak to the other party is detected. */
const AGENT_LIMITS = {
  ...{ autonomousThreshold: 77_771, approvalThreshold: 77_773, maxTransactionsPerHour: 77_777 },
  currency: 'EUR',
}
const ENDPOINT_LIMITS = { maxCumulativeSpend: 88_881, maxTransactionsPerHour: 88_883, currency: 'EUR' }
const PURCHASE = { resource: undefined, jurisdiction: undefined, currency: 'EUR' }

describe('the statistics of an agent and of an endpoint', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  beforeEach(async () => {
    // A period of every kind has begun some minutes ago.
    scene.time.now += DAY_MS - (scene.time.now % DAY_MS) + 10 * MINUTE_MS
    agentId = await ada.agent({ pdlss: { purpose: { categories: ['shopping'] }, limits: AGENT_LIMITS } })
  })
  after(() => scene?.service.stop())

  const ofAgent = async (id = agentId, by: Owner = ada) =>
    (await by.call('GET', `/api/agents/${id}/statistics`)).body
  const readEndpoint = (svceId: string, bearer = scene.shop.personalKey) =>
    scene.call('GET', `/api/endpoints/${svceId}/statistics`, { bearer })
  const ofEndpoint = async (svceId: string) => (await readEndpoint(svceId)).body
  const addEndpoint = (limits: object = ENDPOINT_LIMITS, fields: object = {}) =>
    registerEndpoint(scene.baseUrl, scene.shop.apiKey, {
      pdlss: { limits },
      ...fields,
    })
  const buy = (counterpartyId: string, transactionValue: number, fields: object = {}) =>
    scene.verify(scene.asking(agentId, { counterpartyId, ...PURCHASE, transactionValue, ...fields }))

  it('count what was granted, held and denied in each hour, and why it was denied', async () => {
    const svceId = await addEndpoint()
    const first = new Date(scene.time.now - (scene.time.now % HOUR_MS)).toISOString()
    await buy(svceId, 20)
    await buy(svceId, 30)
    await buy(svceId, 77_772)
    await buy(svceId, 20, { dryRun: true })
    scene.time.now += HOUR_MS
    const second = new Date(scene.time.now - (scene.time.now % HOUR_MS)).toISOString()
    await buy(svceId, 90_000)
    await buy(svceId, 90_000, { purpose: 'gambling:bet' })
    for (const answer of [await ofAgent(), await ofEndpoint(svceId)]) {
      expect(answer.hours).to.deep.equal([
        { start: first, counts: { 'verification.completed': 2, 'verification.step_up_required': 1 } },
        { start: second, counts: { 'verification.denied': 2 } },
      ])
      const reasons = answer.reasons.filter(({ dimension }: { dimension: string }) =>
        /^pdlss/.test(dimension),
      )
      expect(reasons).to.deep.equal([
        { dimension: 'pdlss.limits', count: 2 },
        { dimension: 'pdlss.purpose', count: 1 },
      ])
      expect(answer.lastUsedAt).to.equal(new Date(scene.time.now).toISOString())
    }
    expect((await ofAgent()).counterparts).to.deep.equal([{ id: svceId, name: null, count: 5 }])
    expect((await ofEndpoint(svceId)).counterparts).to.deep.equal([{ id: agentId, name: null, count: 5 }])
    expect((await ofAgent()).spent).to.deep.equal([
      { currency: 'EUR', amount: '50', purchases: 2, unprovenAmount: '0', unprovenPurchases: 0 },
    ])
  })

  it('count callers without identity for the endpoint only', async () => {
    const svceId = await addEndpoint({}, { unverifiedAgentPolicy: 'allow_partial' })
    await scene.verifyUnproven({ counterpartyId: svceId, action: 'read' })
    const { hours, counterparts } = await ofEndpoint(svceId)
    expect(hours[0].counts).to.deep.equal({ 'verification.unverified_allow_partial': 1 })
    expect(counterparts).to.deep.equal([])
  })

  it('name only counterparts of the reader', async () => {
    const mine = await ada.agent({ name: 'My own' })
    const { organizationId } = (await ada.call('POST', '/api/organizations', { body: { name: 'Own' } })).body
    const { key } = (await ada.call('POST', '/api/api-keys', { body: { name: 'key', organizationId } })).body
    const svceId = await registerEndpoint(scene.baseUrl, key, { name: 'My API' })
    await scene.call('POST', '/api/agents/verify-access', {
      bearer: key,
      body: { agentId: mine, counterpartyId: svceId },
    })
    expect((await ofAgent(mine)).counterparts).to.deep.equal([{ id: svceId, name: 'My API', count: 1 }])
    const read = await ada.call('GET', `/api/endpoints/${svceId}/statistics`)
    expect(read.body.counterparts).to.deep.equal([{ id: mine, name: 'My own', count: 1 }])
  })

  it('rank the busiest five counterparts', async () => {
    const svceIds: string[] = []
    for (let nth = 0; nth < 6; nth += 1) {
      svceIds.push(await addEndpoint({}))
      for (let times = 0; times <= nth; times += 1) await buy(svceIds[nth] ?? '', 1)
    }
    const { counterparts, areCounterpartsComplete } = await ofAgent()
    const expected = svceIds.map((id, nth) => ({ id, name: null, count: nth + 1 }))
    expect(counterparts).to.deep.equal(expected.reverse().slice(0, 5))
    expect(areCounterpartsComplete).to.equal(true)
  })

  it('forget what is older than 30 days, but not the last use', async () => {
    const svceId = await addEndpoint()
    await buy(svceId, 20)
    const usedAt = new Date(scene.time.now).toISOString()
    scene.time.now += 29 * DAY_MS
    expect((await ofAgent()).hours).to.have.lengthOf(1)
    scene.time.now += DAY_MS
    const { hours, counterparts, spent, lastUsedAt } = await ofAgent()
    expect([hours, counterparts, spent, lastUsedAt]).to.deep.equal([[], [], [], usedAt])
  })

  it('say that an agent was never used', async () => {
    expect((await ofAgent()).lastUsedAt).to.equal(null)
  })

  describe('show how far caps are used up', () => {
    const usesOf = (answer: { caps: { kind: string; uses: object[] }[] }, kind: string) =>
      answer.caps.find((cap) => cap.kind === kind)?.uses

    it('of the agent, until the first transaction is an hour ago', async () => {
      const svceId = await addEndpoint()
      const firstAt = scene.time.now
      await buy(svceId, 20)
      scene.time.now += MINUTE_MS
      await buy(svceId, 20)
      const read = async () => {
        const [cap, ...others] = (await ofAgent()).caps
        expect(others).to.deep.equal([])
        expect(cap).to.include({ kind: 'transactions', max: 77_777, period: 'hour' })
        const [{ used, resetsAt }] = cap.uses
        return [used, resetsAt]
      }
      expect(await read()).to.deep.equal(['2', new Date(firstAt + HOUR_MS).toISOString()])
      scene.time.now = firstAt + HOUR_MS
      expect(await read()).to.deep.equal(['1', new Date(firstAt + HOUR_MS + MINUTE_MS).toISOString()])
      scene.time.now += MINUTE_MS
      expect(await read()).to.deep.equal(['0', null])
    })

    it('of a sub-agent that inherits its boundary: together with its parent', async () => {
      const svceId = await addEndpoint()
      const limits = { maxTransactionsPerHour: 5 }
      const selfInstantiation = { allowed: true, maxDepth: 1, inheritPermissions: true }
      const parent = await ada.agent({ pdlss: { limits, selfInstantiation } })
      const child = await ada.agent({ parentAgentId: parent, pdlss: { limits } })
      await buy(svceId, 20, { agentId: parent })
      await buy(svceId, 20, { agentId: child })
      for (const agent of [parent, child]) {
        const [use] = usesOf(await ofAgent(agent), 'transactions') ?? []
        expect(use).to.include({ agentId: agent, used: '2' })
      }
    })

    it('of a sub-agent with a lower cap: its own, and that of its parent together with the others', async () => {
      const svceId = await addEndpoint()
      const selfInstantiation = { allowed: true, maxDepth: 1, inheritPermissions: true }
      const parent = await ada.agent({
        pdlss: { limits: { maxTransactionsPerHour: 5 }, selfInstantiation },
      })
      const child = await ada.agent({
        parentAgentId: parent,
        pdlss: { limits: { maxTransactionsPerHour: 2 } },
      })
      await buy(svceId, 20, { agentId: parent })
      await buy(svceId, 20, { agentId: child })
      const { caps } = await ofAgent(child)
      const shown = caps.map(
        ({ max, uses: [use] }: { max: number; uses: { agentId: string; used: string }[] }) => [
          ...[max, use?.agentId, use?.used],
        ],
      )
      expect(shown).to.deep.equal([
        [2, child, '1'],
        [5, parent, '2'],
      ])
    })

    it('of an agent without caps: none', async () => {
      expect((await ofAgent(await ada.agent({ pdlss: {} }))).caps).to.deep.equal([])
    })

    it('of the endpoint, by agent, and apart for requests that prove nothing, until midnight', async () => {
      const svceId = await addEndpoint()
      const midnight = new Date(scene.time.now - (scene.time.now % DAY_MS) + DAY_MS).toISOString()
      await buy(svceId, 20.1)
      await buy(svceId, 0.2)
      await scene.verifyUnproven(
        scene.asking(agentId, { counterpartyId: svceId, ...PURCHASE, transactionValue: 5 }),
      )
      const answer = await ofEndpoint(svceId)
      const spent = { agentId, currency: 'EUR', resetsAt: midnight }
      expect(usesOf(answer, 'spend')).to.deep.equal([
        { ...spent, isProven: true, used: '20.3' },
        { ...spent, isProven: false, used: '5' },
      ])
      expect(usesOf(answer, 'transactions')?.map((use) => ({ ...use, resetsAt: undefined }))).to.deep.equal([
        { agentId, isProven: true, used: '2', currency: null, resetsAt: undefined },
        { agentId, isProven: false, used: '1', currency: null, resetsAt: undefined },
      ])
    })

    it('of the endpoint as one sum, in each currency, and for ever', async () => {
      const svceId = await addEndpoint({
        maxCumulativeSpend: 500,
        cumulativePeriod: 'total',
        cumulativeScope: 'endpoint',
      })
      const another = await ada.agent({ pdlss: {} })
      await buy(svceId, 20)
      await buy(svceId, 30, { agentId: another, currency: 'USD' })
      const all = { agentId: null, isProven: true, resetsAt: null }
      expect((await ofEndpoint(svceId)).caps).to.deep.equal([
        {
          ...{ kind: 'spend', max: 500, currency: null, period: 'total', scope: 'endpoint' },
          uses: [
            { ...all, used: '20', currency: 'EUR' },
            { ...all, used: '30', currency: 'USD' },
          ],
        },
      ])
    })

    it('but not which agents have the same owner', async () => {
      const svceId = await addEndpoint({ maxCumulativeSpend: 500, cumulativeScope: 'owner' })
      await buy(svceId, 20)
      expect(usesOf(await ofEndpoint(svceId), 'spend')).to.deep.equal([])
    })
  })

  it('tell neither party the limits of the other', async () => {
    const svceId = await addEndpoint()
    await buy(svceId, 20)
    await buy(svceId, 90_000)
    const [forAgent, forEndpoint] = [
      JSON.stringify(await ofAgent()),
      JSON.stringify(await ofEndpoint(svceId)),
    ]
    for (const limit of ['88881', '88883']) {
      expect([containsValue(forAgent, limit), containsValue(forEndpoint, limit)]).to.deep.equal([false, true])
    }
    expect(containsValue(forAgent, '77777')).to.equal(true)
    for (const limit of ['77771', '77773', '77777']) expect(containsValue(forEndpoint, limit)).to.equal(false)
  })

  it('are read by members of the organisation, and by nobody else', async () => {
    const svceId = await addEndpoint()
    const eve = await scene.owner()
    const foreign = await eve.call('GET', `/api/agents/${agentId}/statistics`)
    expect([foreign.status, foreign.body.code]).to.deep.equal([403, 'FORBIDDEN'])
    const unknown = await eve.call('GET', '/api/agents/SVC-0000000000000000000000/statistics')
    expect([unknown.status, unknown.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    const hidden = await eve.call('GET', `/api/endpoints/${svceId}/statistics`)
    expect([hidden.status, hidden.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    expect((await readEndpoint(svceId)).status).to.equal(200)
    const orgId = await ada.organizationWith([[eve, 'viewer']])
    const shared = await ada.agent({}, orgId)
    expect((await eve.call('GET', `/api/agents/${shared}/statistics`)).status).to.equal(200)
  })
})
