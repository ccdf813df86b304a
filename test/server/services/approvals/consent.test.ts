import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { signIntent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { type Approvals, openApprovals } from './openApprovals.ts'
import { MINUTE_MS, PDLSS } from './openOwnerScene.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

describe('what an owner sees before approving', () => {
  let scene: Approvals

  before(async () => {
    scene = await openApprovals()
  })
  after(() => scene?.service.stop())

  it('contains every fact that the approval is bound to', async () => {
    const facts = {
      resourceType: 'order',
      sessionDuration: 600,
      certifications: ['SOC-2'],
      subAgent: { purpose: 'shopping', depth: 1 },
    }
    const pdlss = { ...PDLSS, selfInstantiation: { allowed: true, maxSubAgents: 5, maxDepth: 2 } }
    const maker = await scene.ada.agent({ pdlss })
    await scene.store('UPDATE agents SET certifications = ? WHERE svc_id = ?', '["SOC-2"]', maker)
    const { request, approvalId } = await scene.asked(maker, facts)
    const { request: held, dimensions } = await scene.ada.readApproval(approvalId)
    expect(held).to.deep.include({
      ...facts,
      agentId: maker,
      endpointId: scene.svceId,
      category: 'shopping',
      action: 'buy',
      resource: request.resource,
      jurisdiction: 'DE',
      transactionValue: 150,
      currency: 'USD',
    })
    expect(dimensions).to.include('commerce.intent.approval_required')
  })

  it('names the counterparty, its host, tier and age, whoever owns it, as they are now', async () => {
    const { approvalId } = await scene.ask()
    const { counterparty, request } = await scene.ada.readApproval(approvalId)
    const [endpoint] = await scene.store('SELECT * FROM endpoints WHERE svce_id = ?', scene.svceId)
    const { host, url, created_at } = endpoint as Record<string, string>
    expect(counterparty).to.deep.equal({
      name: 'Shop',
      host,
      url,
      counterpartyType: 'api',
      verificationTier: 'self_asserted',
      status: 'active',
      knownSince: new Date(Number(created_at)).toISOString(),
    })
    expect(request).to.include({ endpointName: 'Shop', counterpartyUrl: url })
    const tier = 'UPDATE endpoints SET tier = ? WHERE svce_id = ?'
    await scene.store(tier, 'domain_verified', scene.svceId)
    expect((await scene.ada.readApproval(approvalId)).counterparty.verificationTier).to.equal(
      'domain_verified',
    )
    await scene.store(tier, 'self_asserted', scene.svceId)
  })

  it('says so if nobody has registered the counterparty', async () => {
    const { counterparty } = await scene.ada.readApproval(
      (await scene.ask({ counterpartyId: undefined, counterpartyUrl: 'https://unknown.acme.io/buy' }))
        .approvalId,
    )
    expect(counterparty).to.deep.include({
      name: 'unknown.acme.io',
      host: 'unknown.acme.io',
      url: 'https://unknown.acme.io/buy',
      verificationTier: 'discovered',
    })
    const unstored = await scene.ada.readApproval(
      (await scene.ask({ counterpartyId: undefined, counterpartyUrl: 'http://localhost:9/buy' })).approvalId,
    )
    expect(unstored.counterparty).to.deep.equal({
      name: null,
      host: 'localhost',
      url: 'http://localhost:9/buy',
      counterpartyType: null,
      ...{ verificationTier: 'unknown', status: null, knownSince: null },
    })
    expect(unstored.spending.atCounterparty).to.deep.equal([])
  })

  it('says what the held request proved of the agent’s identity', async () => {
    const proofOf = async ({ stepUpApproval }: { stepUpApproval: { approvalId: string } }) =>
      (await scene.ada.readApproval(stepUpApproval.approvalId)).request.identityProof
    const named = scene.asking(await scene.ada.agent())
    expect(await proofOf((await scene.verifyUnproven(named)).body)).to.equal('none')
    const key = createAgentKey()
    const signer = await scene.ada.agent()
    await storeAgentKey(scene.service, signer, key)
    const iat = Math.floor(scene.time.now / 1000)
    const claims = { iss: signer, aud: scene.svceId, iat, exp: iat + 60, jti: randomUUID() }
    const signed = { ...scene.asking(signer), intentProof: signIntent(key, claims) }
    expect(await proofOf((await scene.verifyUnproven(signed)).body)).to.equal('signature')
  })

  it('shows what the agent has spent there and in all in the last 30 days', async () => {
    const buyer = await scene.ada.agent()
    const other = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
    const buy = async (transactionValue: number, fields: object = {}) => {
      const { body } = await scene.verify(scene.asking(buyer, { transactionValue, ...fields }))
      expect(body.recommendation).to.equal('grant')
    }
    const spendingOf = async (approvalId: string) => (await scene.ada.readApproval(approvalId)).spending
    const { approvalId } = await scene.asked(buyer)
    expect(await spendingOf(approvalId)).to.deep.equal({ days: 30, atCounterparty: [], inAll: [] })
    await buy(10.1)
    await buy(20.2)
    await buy(5, { counterpartyId: other })
    const away = await createOrganisation(scene.baseUrl)
    const elsewhere = await registerEndpoint(scene.baseUrl, away.apiKey)
    const visit = scene.asking(buyer, { transactionValue: 4, counterpartyId: elsewhere })
    expect((await scene.verify(visit, away)).body.recommendation).to.equal('grant')
    const none = { unprovenAmount: '0', unprovenPurchases: 0 }
    const spent = {
      days: 30,
      // At both endpoints of the counterparty.
      atCounterparty: [{ currency: 'USD', amount: '35.3', purchases: 3, ...none }],
      inAll: [{ currency: 'USD', amount: '39.3', purchases: 4, ...none }],
    }
    expect(await spendingOf(approvalId)).to.deep.equal(spent)
    scene.time.now += 29 * DAY_MS
    expect(await spendingOf(approvalId)).to.deep.equal(spent)
    scene.time.now += DAY_MS
    expect(await spendingOf(approvalId)).to.deep.equal({ days: 30, atCounterparty: [], inAll: [] })
    scene.time.now -= 30 * DAY_MS
  })

  it('shows apart what strangers spent by naming the agent', async () => {
    const buyer = await scene.ada.agent()
    const buying = (transactionValue: number) => scene.asking(buyer, { transactionValue })
    expect((await scene.verify(buying(10))).body.recommendation).to.equal('grant')
    const stranger = await createOrganisation(scene.baseUrl)
    const counterpartyId = await registerEndpoint(scene.baseUrl, stranger.apiKey)
    for (let nth = 0; nth < 3; nth += 1) {
      const named = { ...buying(100), counterpartyId }
      expect((await scene.verifyUnproven(named, stranger)).body.recommendation).to.equal('grant')
    }
    const inAll = [
      { currency: 'USD', amount: '10', purchases: 1, unprovenAmount: '300', unprovenPurchases: 3 },
    ]
    const atStranger = [{ ...inAll[0], amount: '0', purchases: 0 }]
    const { approvalId } = await scene.asked(buyer)
    const { spending } = await scene.ada.readApproval(approvalId)
    expect(spending.inAll).to.deep.equal(inAll)
    expect(spending.atCounterparty).to.deep.equal([
      { ...inAll[0], unprovenAmount: '0', unprovenPurchases: 0 },
    ])
    const there = await scene.verifyUnproven(scene.asking(buyer, { counterpartyId }), stranger)
    const held = await scene.ada.readApproval(there.body.stepUpApproval.approvalId)
    expect(held.spending.atCounterparty).to.deep.equal(atStranger)
    const { body } = await scene.ada.call('GET', `/api/agents/${buyer}/statistics`)
    expect(body.spent).to.deep.equal(inAll)
  })
})
