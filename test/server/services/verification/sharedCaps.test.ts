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

  it('are one hourly cap for a parent and the sub-agents that inherit its boundary', async () => {
    const agents = await family({ maxTransactionsPerHour: 1 }, true, 4)
    expect(await grantsOf(agents, await endpoint())).to.equal(1)
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
