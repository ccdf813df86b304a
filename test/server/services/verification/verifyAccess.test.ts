import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { api } from '../../../harness/service/api.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { CANARY_TEXTS, openVerifyAccess, type VerifyAccessScene } from './openVerifyAccess.ts'

describe('verify-access', () => {
  let service: VerifyAccessScene['service']
  let shop: VerifyAccessScene['shop']
  let svceId: VerifyAccessScene['svceId']
  let verify: VerifyAccessScene['verify']
  let inMandate: VerifyAccessScene['inMandate']
  let dimensionsOf: VerifyAccessScene['dimensionsOf']
  let events: VerifyAccessScene['events']
  let shopper: VerifyAccessScene['shopper']

  before(async () => {
    ;({ service, shop, svceId, verify, inMandate, dimensionsOf, events, shopper } = await openVerifyAccess())
  })
  after(() => service?.stop())

  describe('of a registered agent', () => {
    it('grants a request within both boundaries, with a session and a record', async () => {
      const { status, body } = await verify(inMandate())
      expect(status).to.equal(200)
      expect(body).to.deep.include({ success: true, recommendation: 'grant' })
      expect(body.access).to.deep.include({ allowed: true, accessLevel: 'standard' })
      expect(body.agent).to.deep.include({
        svcId: shopper.svcId,
        name: 'Shopper',
        agentStatus: 'active',
        runtimeChallengeSupported: false,
      })
      expect(body.agent.trustScore).to.be.within(45, 69)
      expect(body.sessionId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(body.auditRecordId).to.be.a('string')
      expect(body).to.not.have.property('correlationId')
    })

    it('reads the agent from the header, and refuses one that contradicts the body', async () => {
      const { agentId, ...anonymous } = inMandate()
      const byHeader = await verify(anonymous, { headers: { 'x-svc-id': agentId } })
      expect(byHeader.body.agent.svcId).to.equal(shopper.svcId)
      const both = await verify(inMandate(), { headers: { 'x-svc-id': 'SVC-0000000000000000000009' } })
      expect([both.status, both.body.errors[0].pointer]).to.deep.equal([400, '/agentId'])
    })

    it('names every failed dimension at once', async () => {
      const answer = await verify({
        ...inMandate(),
        purpose: 'write_data:delete',
        resource: '/admin',
        transactionValue: 10_000,
      })
      expect(answer.body.recommendation).to.equal('deny')
      expect(answer.body.access).to.deep.include({ allowed: false, accessLevel: 'none' })
      expect(dimensionsOf(answer)).to.include.members([
        'pdlss.purpose',
        'pdlss.action',
        'pdlss.limits',
        'pdlss.scope',
      ])
    })

    it('shows no value of the mandate to another account, whatever is requested', async () => {
      const asks = [
        inMandate(),
        { ...inMandate(), includeTokenGuidance: true },
        { ...inMandate(), purpose: 'write_data' },
        { ...inMandate(), transactionValue: 150 },
        { ...inMandate(), transactionValue: 9e9 },
        { ...inMandate(), currency: 'EUR' },
        { ...inMandate(), resource: '/x' },
        { ...inMandate(), sessionDuration: 8_000_000 },
        { ...inMandate(), subAgent: { purpose: 'x', depth: 2 } },
      ]
      const answers = await Promise.all(asks.map((ask) => verify(ask)))
      const seen = JSON.stringify([answers.map((answer) => answer.body), await events()])
      for (const canary of CANARY_TEXTS) expect(containsValue(seen, canary), canary).to.equal(false)
      for (const { body } of answers) {
        expect(body.access).to.not.have.any.keys('restrictions', 'appliedPolicy')
      }
    })

    it('denies an unregistered identifier, without session or correlation id', async () => {
      const { status, body } = await verify({ ...inMandate(), agentId: 'SVC-0000000000000000000009' })
      expect(status).to.equal(200)
      expect(body.recommendation).to.equal('deny')
      expect(body.access.failures[0].dimension).to.equal('agent.identity')
      expect(body).to.not.have.any.keys('sessionId', 'correlationId', 'agent')
      const [event] = await events('&eventType=verification.agent_not_found')
      expect(event.eventData.errorMessage).to.be.a('string')
    })

    it('opens no session if none is requested', async () => {
      const { body } = await verify({ ...inMandate(), createSession: false })
      expect(body.recommendation).to.equal('grant')
      expect(body).to.not.have.any.keys('sessionId', 'correlationId')
    })

    it('notifies the owner of another account’s dry run, which has no effect', async () => {
      const { svcId } = await registerAgent(service.baseUrl, {
        pdlss: { limits: { maxTransactionsPerHour: 1 } },
      })
      const ask = (fields: object) => verify({ agentId: svcId, counterpartyId: svceId, ...fields })
      const first = await ask({})
      for (const transactionValue of [1, 2, 3]) {
        const { body } = await ask({ transactionValue, dryRun: true })
        expect(body.recommendation).to.equal('grant')
        expect(body).to.not.have.any.keys('sessionId', 'auditRecordId')
      }
      await ask({ transactionValue: 1, sessionDuration: 8_000_000, purpose: 'x', dryRun: true })
      const seen = await events(`&agent=${svcId}&eventType=verification.dry_run`)
      expect(seen).to.have.length(4)
      const last = await ask({ transactionValue: 1 })
      expect(last.body.recommendation).to.equal('grant')
      expect(last.body.agent.trustScore).to.be.at.least(first.body.agent.trustScore)
    })

    it('decides a dry run at an unregistered URL like the request itself, and stores no endpoint', async () => {
      const pdlss = { scope: { minCounterpartyTrustScore: 20 } }
      const { svcId: agentId } = await registerAgent(service.baseUrl, { pdlss })
      const counterpartyUrl = `https://${randomUUID()}.acme.io`
      const dry = await verify({ agentId, counterpartyUrl, dryRun: true })
      const stored = await service.rows('SELECT id FROM endpoints WHERE url = ?', counterpartyUrl)
      const { body } = await verify({ agentId, counterpartyUrl })
      expect(stored).to.deep.equal([])
      expect([dry.body.access, dry.body.recommendation]).to.deep.equal([body.access, body.recommendation])
    })

    it('applies the policy for unverified agents to a score below the minimum', async () => {
      const strict = await registerEndpoint(service.baseUrl, shop.apiKey, { trustScoreRequirement: 95 })
      const denied = await verify({ ...inMandate(), counterpartyId: strict })
      expect(dimensionsOf(denied)).to.deep.equal(['trust.score'])
      const partial = await registerEndpoint(service.baseUrl, shop.apiKey, {
        trustScoreRequirement: 95,
        unverifiedAgentPolicy: 'allow_partial',
      })
      const restricted = await verify({ ...inMandate(), counterpartyId: partial })
      expect(restricted.body.access).to.deep.include({ allowed: true, accessLevel: 'restricted' })
    })

    it('also enforces the endpoint’s own boundary', async () => {
      const narrow = await registerEndpoint(service.baseUrl, shop.apiKey, {
        pdlss: {
          scope: { deniedResources: ['/orders/**'] },
          limits: { approvalThreshold: 10, currency: 'USD' },
        },
      })
      const answer = await verify({ ...inMandate(), counterpartyId: narrow })
      expect(dimensionsOf(answer)).to.deep.equal(['endpoint.limits', 'endpoint.scope'])
    })

    it('grants exactly as many of 64 concurrent requests as the hourly cap allows', async () => {
      const capped = await registerAgent(service.baseUrl, {
        pdlss: { limits: { maxTransactionsPerHour: 10 } },
      })
      const ask = () => verify({ agentId: capped.svcId, counterpartyId: svceId, transactionValue: 1 })
      const answers = await Promise.all(Array.from({ length: 64 }, ask))
      const recommendations = answers.map((answer) => answer.body.recommendation)
      expect(recommendations.filter((one) => one === 'grant')).to.have.length(10)
      expect(dimensionsOf(answers.find((one) => one.body.recommendation === 'deny') as never)).to.deep.equal([
        'pdlss.rate',
      ])
    })

    it('enforces the endpoint’s cap on cumulative spend exactly', async () => {
      const capped = await registerEndpoint(service.baseUrl, shop.apiKey, {
        pdlss: { limits: { maxCumulativeSpend: 0.3, cumulativePeriod: 'total' } },
      })
      const spender = await registerAgent(service.baseUrl)
      const ask = () => verify({ agentId: spender.svcId, counterpartyId: capped, transactionValue: 0.1 })
      const recommendations = []
      for (let n = 0; n < 4; n += 1) recommendations.push((await ask()).body.recommendation)
      expect(recommendations).to.deep.equal(['grant', 'grant', 'grant', 'deny'])
    })
  })

  describe('step-up', () => {
    const asked = () => ({ ...inMandate(), transactionValue: 150, attemptId: randomUUID() })

    it('requests approval of spend between the limits, which the requesting key can poll', async () => {
      const request = asked()
      const { body } = await verify(request)
      expect(body.recommendation).to.equal('step_up_required')
      expect(body.access.failures[0].dimension).to.equal('commerce.intent.approval_required')
      const { stepUpApproval } = body
      expect(stepUpApproval).to.deep.include({ status: 'pending', attemptId: request.attemptId })
      expect(stepUpApproval.approvalUrl).to.match(
        new RegExp(`/activity/pending/${stepUpApproval.approvalId}$`),
      )
      expect(Date.parse(stepUpApproval.expiresAt) - Date.now()).to.be.within(29 * 60_000, 30 * 60_000)

      const polled = await api(service.baseUrl, 'GET', stepUpApproval.pollUrl, { bearer: shop.apiKey })
      expect(polled.body).to.deep.include({ status: 'pending', decidedAt: null, consumedAt: null })
      expect(polled.headers.get('retry-after')).to.equal(String(polled.body.pollAfterSeconds))
      const foreign = await createOrganisation(service.baseUrl)
      const hidden = await api(service.baseUrl, 'GET', stepUpApproval.pollUrl, { bearer: foreign.apiKey })
      expect([hidden.status, hidden.body.code]).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('returns the same approval to a repeated request, however many are concurrent', async () => {
      const request = asked()
      const answers = await Promise.all(Array.from({ length: 16 }, () => verify(request)))
      expect(new Set(answers.map((answer) => answer.body.stepUpApproval.approvalId)).size).to.equal(1)
    })

    it('assigns an attempt id to a request without one', async () => {
      const { attemptId: _, ...request } = asked()
      const first = (await verify(request)).body.stepUpApproval
      const again = (await verify({ ...request, attemptId: first.attemptId })).body.stepUpApproval
      expect(again.approvalId).to.equal(first.approvalId)
    })

    it('refuses an attempt id that belongs to another request', async () => {
      const request = asked()
      await verify(request)
      const other = await verify({ ...request, transactionValue: 151 })
      expect([other.status, other.body.code]).to.deep.equal([409, 'ATTEMPT_MISMATCH'])
    })

    it('refuses an attempt id with another call of a tool', async () => {
      const request = { ...asked(), callHash: 'a'.repeat(64) }
      const first = await verify(request)
      const again = await verify(request)
      expect(again.body.stepUpApproval.approvalId).to.equal(first.body.stepUpApproval.approvalId)
      for (const callHash of ['b'.repeat(64), undefined]) {
        const other = await verify({ ...request, callHash })
        expect([other.status, other.body.code], callHash).to.deep.equal([409, 'ATTEMPT_MISMATCH'])
      }
    })

    it('does not bypass a denial on another dimension', async () => {
      const answer = await verify({ ...asked(), resource: '/admin' })
      expect(answer.body.recommendation).to.equal('deny')
      expect(answer.body).to.not.have.property('stepUpApproval')
    })
  })

  describe('without an agent', () => {
    const expected = {
      deny: { recommendation: 'deny', allowed: false, accessLevel: 'none' },
      audit: { recommendation: 'audit', allowed: true, accessLevel: 'standard' },
      allow_partial: { recommendation: 'grant', allowed: true, accessLevel: 'restricted' },
      allow_full: { recommendation: 'grant', allowed: true, accessLevel: 'standard' },
    }
    for (const [policy, outcome] of Object.entries(expected)) {
      it(`applies the policy ${policy}`, async () => {
        const open = await registerEndpoint(service.baseUrl, shop.apiKey, { unverifiedAgentPolicy: policy })
        const { body } = await verify({ counterpartyId: open, callerMetadata: { userAgent: 'bot/1' } })
        expect(body.recommendation).to.equal(outcome.recommendation)
        expect(body.access).to.deep.include({ allowed: outcome.allowed, accessLevel: outcome.accessLevel })
        expect(body.advisory).to.deep.include({ ial: 'unverified', policy })
        expect(body.advisory.restrictionsExplained).to.not.be.empty
        expect('warningHeader' in body).to.equal(policy === 'audit')
        expect(body).to.not.have.any.keys('sessionId', 'agent')
        const [event] = await events(`&eventType=verification.unverified_${policy}`)
        expect(event.eventData.correlationId).to.equal(body.correlationId)
        expect(event).to.deep.include({ callerCategory: 'ungoverned', endpointId: open })
        expect(event.eventData.caller.userAgent).to.equal('bot/1')
      })
    }

    it('generates a new correlation id each time', async () => {
      const ids = await Promise.all(
        [1, 2, 3].map(async () => (await verify({ counterpartyId: svceId })).body.correlationId),
      )
      expect(new Set(ids).size).to.equal(3)
    })
  })
})
