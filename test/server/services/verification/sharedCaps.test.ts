import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('caps that several agents share', () => {
  let scene: OwnerScene
  let ada: Owner
  let shop: Organisation

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    shop = await createOrganisation(scene.baseUrl)
  })
  after(() => scene?.service.stop())

  const family = async (limits: object, inheritPermissions: boolean, size: number) => {
    const pdlss = { limits, selfInstantiation: { allowed: true, maxDepth: 2, inheritPermissions } }
    const parent = await ada.agent({ pdlss })
    const children = []
    for (let n = 0; n < size; n += 1) {
      children.push(await ada.agent({ parentAgentId: parent, pdlss: { limits } }))
    }
    return [parent, ...children]
  }
  const endpoint = (limits: object = {}) =>
    registerEndpoint(scene.baseUrl, shop.apiKey, { pdlss: { limits } })
  const spend = async (agentId: string, counterpartyId: string, fields: object = {}) =>
    (await scene.verify({ agentId, counterpartyId, transactionValue: 10, ...fields }, shop)).body
      .recommendation
  const grantsOf = async (agents: readonly string[], counterpartyId: string, fields: object = {}) => {
    const answers = await Promise.all(agents.map((agentId) => spend(agentId, counterpartyId, fields)))
    return answers.filter((answer) => answer === 'grant').length
  }

  it('are one sum of spend in a currency, whether or not a request states it', async () => {
    const dollars = await ada.agent({ pdlss: { limits: { currency: 'USD' } } })
    for (const [first, second] of [
      ['USD', undefined],
      [undefined, 'USD'],
    ]) {
      const counterpartyId = await endpoint({ maxCumulativeSpend: 10 })
      expect(await spend(dollars, counterpartyId, { currency: first })).to.equal('grant')
      expect(await spend(dollars, counterpartyId, { currency: second })).to.equal('deny')
    }
    const euros = await endpoint({ maxCumulativeSpend: 10, currency: 'EUR' })
    expect(await spend(await ada.agent({ pdlss: {} }), euros)).to.equal('grant')
    expect(await spend(dollars, euros)).to.equal('deny')
  })

  it('are one hourly cap for a parent and the sub-agents that inherit its boundary', async () => {
    const agents = await family({ maxTransactionsPerHour: 1 }, true, 4)
    expect(await grantsOf(agents, await endpoint())).to.equal(1)
  })

  describe('are two for a sub-agent with a lower hourly cap of its own', () => {
    const inheriting = (max?: number, depth = 2) => ({
      ...(max === undefined ? {} : { limits: { maxTransactionsPerHour: max } }),
      selfInstantiation: { allowed: true, maxDepth: depth, inheritPermissions: true },
    })
    const child = (parentAgentId: string, max: number) =>
      ada.agent({ parentAgentId, pdlss: { limits: { maxTransactionsPerHour: max } } })
    const times = (agentId: string, count: number) => Array<string>(count).fill(agentId)

    it('it may use its own whatever its siblings have used of that of the parent, and no more', async () => {
      const counterpartyId = await endpoint()
      const parent = await ada.agent({ pdlss: inheriting(12) })
      const [first, second] = [await child(parent, 3), await child(parent, 8)]
      expect(await grantsOf(times(second, 9), counterpartyId)).to.equal(8)
      expect(await grantsOf(times(first, 5), counterpartyId)).to.equal(3)
      expect(await grantsOf(times(parent, 3), counterpartyId)).to.equal(1)
    })

    it('that of the parent is never exceeded by all of them together', async () => {
      const counterpartyId = await endpoint()
      const parent = await ada.agent({ pdlss: inheriting(5) })
      const children = [await child(parent, 3), await child(parent, 4), await child(parent, 5)]
      const asking = [parent, ...children].flatMap((agentId) => times(agentId, 4))
      expect(await grantsOf(asking, counterpartyId)).to.equal(5)
      for (const agentId of [parent, ...children])
        expect(await spend(agentId, counterpartyId)).to.equal('deny')
    })

    it('a parent without a cap gives each its own', async () => {
      const counterpartyId = await endpoint()
      const parent = await ada.agent({ pdlss: inheriting() })
      const children = [await child(parent, 2), await child(parent, 2)]
      for (const agentId of children) expect(await grantsOf(times(agentId, 3), counterpartyId)).to.equal(2)
      expect(await grantsOf(times(parent, 3), counterpartyId)).to.equal(3)
    })

    it('a lower cap is also one for the sub-agents below it', async () => {
      const counterpartyId = await endpoint()
      const root = await ada.agent({ pdlss: inheriting(9) })
      const middle = await ada.agent({ parentAgentId: root, pdlss: inheriting(4, 1) })
      const [same, lower] = [await child(middle, 4), await child(middle, 2)]
      expect(await grantsOf(times(root, 4), counterpartyId)).to.equal(4)
      expect(await grantsOf(times(lower, 3), counterpartyId)).to.equal(2)
      expect(await grantsOf([...times(same, 2), ...times(middle, 2)], counterpartyId)).to.equal(2)
      expect(await grantsOf(times(root, 6), counterpartyId)).to.equal(1)
    })

    it('requests without proof count under both in the window of their account', async () => {
      const counterpartyId = await endpoint()
      const parent = await ada.agent({ pdlss: inheriting(4) })
      const [first, second] = [await child(parent, 2), await child(parent, 3)]
      const ask = async (agentId: string) =>
        (await scene.verifyUnproven({ agentId, counterpartyId, transactionValue: 10 }, shop)).body
          .recommendation
      const answers = []
      for (const agentId of [...times(second, 4), ...times(first, 2)]) answers.push(await ask(agentId))
      expect(answers).to.deep.equal(['grant', 'grant', 'grant', 'deny', 'grant', 'deny'])
      expect(await grantsOf(times(first, 3), counterpartyId)).to.equal(2)
    })

    it('a decision is replayed from both counts, and from the caps of the ancestors as they were', async () => {
      const counterpartyId = await endpoint()
      const parent = await ada.agent({ pdlss: inheriting(3) })
      const [first, second] = [await child(parent, 1), await child(parent, 2)]
      const asked = [second, second, first, second]
      for (const agentId of asked) {
        const body = { agentId, counterpartyId, transactionValue: 10 }
        const { auditRecordId, recommendation } = (await scene.verify(body, shop)).body
        const replayed = (await ada.call('POST', `/api/audit/records/${auditRecordId}/replay`)).body
        expect(replayed).to.include({ reproduced: true, inputsMatch: true })
        expect(replayed.replayed.recommendation).to.equal(recommendation)
      }
      const counted = await scene.store(
        `SELECT inputs FROM audit_records WHERE agent_id = ? AND event_type LIKE 'verification.%'`,
        first,
      )
      expect(JSON.parse(String((counted[0] as { inputs: string }).inputs)).counters).to.deep.equal({
        agentGrantsLastHour: 0,
        ancestorGrantsLastHour: [2],
      })
    })
  })

  it('are an hourly cap each for sub-agents with a boundary of their own', async () => {
    const agents = await family({ maxTransactionsPerHour: 1 }, false, 2)
    expect(await grantsOf(agents, await endpoint())).to.equal(3)
  })

  it('are one cap of the endpoint for a parent and the sub-agents that inherit its boundary', async () => {
    const [heirs, others] = [await family({}, true, 2), await family({}, false, 2)]
    for (const limits of [{ maxCumulativeSpend: 10 }, { maxTransactionsPerHour: 1 }]) {
      const counterpartyId = await endpoint(limits)
      expect(await grantsOf(heirs, counterpartyId), JSON.stringify(limits)).to.equal(1)
      expect(await grantsOf(others, counterpartyId), JSON.stringify(limits)).to.equal(3)
    }
  })

  it('add up the spend of an agent, an owner or everybody, as the endpoint says', async () => {
    const bob = await scene.owner()
    const agents = [
      await ada.agent({ pdlss: {} }),
      await ada.agent({ pdlss: {} }),
      await bob.agent({ pdlss: {} }),
    ]
    for (const [cumulativeScope, granted] of [
      [undefined, 3],
      ['agent', 3],
      ['owner', 2],
      ['endpoint', 1],
    ] as const) {
      const counterpartyId = await endpoint({ maxCumulativeSpend: 10, cumulativeScope })
      expect(await grantsOf(agents, counterpartyId), cumulativeScope).to.equal(granted)
    }
  })

  it('add up each currency separately, and convert nothing', async () => {
    const agentId = await ada.agent({ pdlss: {} })
    const counterpartyId = await endpoint({ maxCumulativeSpend: 100 })
    const pay = (transactionValue: number, currency?: string) =>
      spend(agentId, counterpartyId, { transactionValue, currency })
    expect(await pay(90, 'JPY')).to.equal('grant')
    expect(await pay(20, 'USD')).to.equal('grant')
    expect(await pay(20, 'jpy')).to.equal('deny')
    expect(await pay(80, 'USD')).to.equal('grant')
    expect(await pay(1, 'USD')).to.equal('deny')
    const inEuro = await endpoint({ maxCumulativeSpend: 100, currency: 'EUR' })
    const payEuro = (currency?: string) => spend(agentId, inEuro, { transactionValue: 60, currency })
    expect([await payEuro('EUR'), await payEuro()]).to.deep.equal(['grant', 'deny'])
  })
})
