import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createLimitWatch } from '../../../../server/services/verification/probing/createLimitWatch.ts'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'
import { searchByBisection } from './searchByBisection.ts'

const LIMITS = { approvalThreshold: 437.61 }

describe('a counterparty that searches for a threshold of an agent', () => {
  let scene: OwnerScene
  let ada: Owner

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  const alertsOf = async (agentId: string) =>
    (await ada.call('GET', '/api/alerts?limit=100')).body.items.filter(
      ({ code, data }: { code: string; data: { agentId?: string } }) =>
        code === 'limit_probing' && data.agentId === agentId,
    )

  for (const way of ['verify', 'verifyUnproven'] as const)
    for (const isFromAbove of [true, false])
      it(`knows at most one digit of the Hard Limit when the owner is warned: ${way}, from ${isFromAbove ? 'above' : 'below'}`, async () => {
        const agentId = await ada.agent({ pdlss: { limits: LIMITS } })
        // Follows the answers of the service, to know after which of them it has to warn.
        const twin = createLimitWatch()
        const { digits, steps } = await searchByBisection(isFromAbove, async (amount) => {
          expect(await alertsOf(agentId)).to.deep.equal([])
          const request = { agentId, counterpartyId: scene.svceId, transactionValue: amount }
          const { access } = (await scene[way](request)).body
          const isOver = JSON.stringify(access.failures ?? []).includes('"pdlss.limits"')
          expect(isOver).to.equal(amount >= LIMITS.approvalThreshold)
          return {
            isOver,
            isNoticed: twin.note({ agentId, accountId: '', amount, isOver }, scene.time.now) !== null,
          }
        })
        expect(digits).to.be.at.most(1)
        expect(steps).to.be.at.most(isFromAbove ? 3 : 21)
        const [alert] = await waitUntil(async () => {
          const found = await alertsOf(agentId)
          return found.length > 0 ? found : null
        })
        expect(alert.data).to.deep.equal({ agentId, endpointId: scene.svceId, counterpartyType: 'api' })
      })

  const ASKED = {
    limits: { autonomousThreshold: 137.61, approvalThreshold: 1e12 },
    purpose: { categories: ['buy'] },
  }
  const WAYS = [
    { name: 'held requests that prove nothing', way: 'verifyUnproven', purpose: 'buy', held: 0 },
    { name: 'requests beyond those that may wait', way: 'verifyUnproven', purpose: 'buy', held: 3 },
    { name: 'proven requests that are denied anyway', way: 'verify', purpose: 'sell', held: 0 },
  ] as const
  for (const { name, way, purpose, held } of WAYS)
    for (const isFromAbove of [true, false])
      it(`knows at most one digit of the amount from which the owner is asked: by ${name}, from ${isFromAbove ? 'above' : 'below'}`, async () => {
        const agentId = await ada.agent({ pdlss: ASKED })
        const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
        const ask = async (transactionValue: number) => {
          const attemptId = randomUUID()
          const request = { agentId, counterpartyId, purpose, transactionValue, attemptId }
          return (await scene[way](request)).body
        }
        const twin = createLimitWatch({ countsOnlyLower: true })
        const note = (amount: number) => {
          const isOver = amount >= ASKED.limits.autonomousThreshold
          return {
            isOver,
            isNoticed: twin.note({ agentId, accountId: '', amount, isOver }, scene.time.now) !== null,
          }
        }
        for (let nth = 0; nth < held; nth += 1) {
          expect((await ask(3e9)).recommendation).to.equal('step_up_required')
          expect(note(3e9).isNoticed).to.equal(false)
        }
        const { digits } = await searchByBisection(isFromAbove, async (amount) => {
          expect(await alertsOf(agentId)).to.deep.equal([])
          const told = JSON.stringify((await ask(amount)).access.failures ?? [])
          const isOver = /commerce.intent.approval_required|approvals.pending/.test(told)
          expect(isOver).to.equal(amount >= ASKED.limits.autonomousThreshold)
          return note(amount)
        })
        expect(digits).to.be.at.most(1)
        const [alert] = await waitUntil(async () => {
          const found = await alertsOf(agentId)
          return found.length > 0 ? found : null
        })
        expect(alert.data).to.deep.equal({ agentId, endpointId: counterpartyId, counterpartyType: 'api' })
      })

  it('is not suspected for held requests that prove the agent, nor for one that is repeated', async () => {
    const agentId = await ada.agent({ pdlss: ASKED })
    const asked = { agentId, counterpartyId: scene.svceId, purpose: 'buy' }
    for (const transactionValue of [600, 500, 400, 300])
      await scene.verify({ ...asked, transactionValue, attemptId: randomUUID() })
    const attemptId = randomUUID()
    for (let nth = 0; nth < 8; nth += 1)
      await scene.verifyUnproven({ ...asked, transactionValue: 700, attemptId })
    const searched = await ada.agent({ pdlss: ASKED })
    for (const transactionValue of [600, 500, 400])
      await scene.verifyUnproven({ ...asked, agentId: searched, transactionValue, attemptId: randomUUID() })
    await waitUntil(async () => ((await alertsOf(searched)).length > 0 ? true : null))
    expect(await alertsOf(agentId)).to.deep.equal([])
  })

  it('is noticed together with others, who each ask about a few amounts', async () => {
    const agentId = await ada.agent({ pdlss: { limits: LIMITS } })
    const shops = await Promise.all([1, 2, 3].map(() => createOrganisation(scene.baseUrl)))
    const places = await Promise.all(
      shops.map(async (shop) => ({ shop, svceId: await registerEndpoint(scene.baseUrl, shop.apiKey) })),
    )
    for (const [nth, transactionValue] of [900, 800, 700, 600, 500].entries()) {
      const { shop, svceId } = places[nth % places.length] as (typeof places)[number]
      expect(await alertsOf(agentId)).to.deep.equal([])
      await scene.verify({ agentId, counterpartyId: svceId, transactionValue }, shop)
    }
    const [alert] = await waitUntil(async () => {
      const found = await alertsOf(agentId)
      return found.length > 0 ? found : null
    })
    expect(alert.data).to.include({ agentId, searchers: 'several' })
    expect(alert.message).to.match(/^Several counterparties together/)
  })

  it('is not suspected for amounts in a currency that the mandate excludes, nor at the owner’s own endpoint', async () => {
    const agentId = await ada.agent({ pdlss: { limits: { ...LIMITS, currency: 'USD' } } })
    const organizationId = await ada.organizationWith([])
    const { key } = (await ada.call('POST', '/api/api-keys', { body: { name: 'key', organizationId } })).body
    const own = { ...scene.shop, apiKey: key }
    const counterpartyId = await registerEndpoint(scene.baseUrl, key)
    for (const transactionValue of [400, 300, 200, 100]) {
      const euros = { agentId, counterpartyId: scene.svceId, transactionValue, currency: 'EUR' }
      expect((await scene.verify(euros)).body.recommendation).to.equal('deny')
      const large = { agentId, counterpartyId, transactionValue: transactionValue * 1_000, currency: 'USD' }
      expect((await scene.verify(large, own)).body.recommendation).to.equal('deny')
    }
    const searched = await ada.agent({ pdlss: { limits: LIMITS } })
    for (const transactionValue of [900, 800, 700])
      await scene.verify({ agentId: searched, counterpartyId: scene.svceId, transactionValue })
    await waitUntil(async () => ((await alertsOf(searched)).length > 0 ? true : null))
    expect(await alertsOf(agentId)).to.deep.equal([])
  })
})
