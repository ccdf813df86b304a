import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { type Approvals, openApprovals } from './openApprovals.ts'
import { MINUTE_MS } from './openOwnerScene.ts'

const DAY_MS = 24 * 60 * MINUTE_MS
const WEEK = { amount: 500, days: 7 }
const COPIES = 32

describe('spending that an owner approves in advance', () => {
  let scene: Approvals
  let buyer: string

  before(async () => {
    scene = await openApprovals()
  })
  beforeEach(async () => {
    buyer = await scene.ada.agent()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const rulesPath = (agentId = buyer) => `/api/agents/${agentId}/approval-rules`
  const standingOf = async (by = scene.ada) => (await by.call('GET', rulesPath())).body.standing
  /** Sends a new request of the agent, and returns what is recommended. */
  const ask = async (fields: object = {}): Promise<string> =>
    scene.recommendationOf(scene.asking(buyer, fields))
  /** Has a request of 150 held and approved, with further ones in advance. */
  async function approveInAdvance(terms: object = WEEK) {
    const held = await scene.asked(buyer)
    const { status, body } = await scene.ada.approveInAdvance(held.approvalId, terms)
    expect([status, body.approval?.status]).to.deep.equal([200, 'approved'])
    return { ...held, rule: (await standingOf())[0] }
  }

  describe('lets pass', () => {
    it('the request at hand once, and further ones until the amount is used up', async () => {
      const { request } = await approveInAdvance()
      expect(await scene.recommendationOf(request)).to.equal('grant')
      expect([await ask({ transactionValue: 200 }), await ask()]).to.deep.equal(['grant', 'grant'])
      expect((await standingOf())[0]).to.include({ amount: '500', used: '500', currency: 'USD' })
      expect(await ask()).to.equal('step_up_required')
    })

    it('amounts counted exactly, without binary fractions', async () => {
      const { approvalId } = await scene.asked(buyer, { transactionValue: 100.3 })
      await scene.ada.approveInAdvance(approvalId, { amount: 300.9, days: 1 })
      const values = [100.3, 100.3, 100.3].map((transactionValue) => ({ transactionValue }))
      const answers: string[] = []
      for (const value of values) answers.push(await ask(value))
      expect(answers).to.deep.equal(['grant', 'grant', 'step_up_required'])
    })

    it(`of ${COPIES} concurrent requests as many as fit`, async () => {
      await approveInAdvance({ amount: 1_000, days: 1 })
      const answers = await Promise.all(Array.from({ length: COPIES }, () => ask({ transactionValue: 120 })))
      expect(answers.filter((answer) => answer === 'grant').length).to.equal(Math.floor((1_000 - 150) / 120))
      expect((await standingOf())[0]).to.include({ used: '990' })
    })

    it('nothing in a dry run, which counts nothing either', async () => {
      await approveInAdvance()
      expect(await ask({ dryRun: true, attemptId: undefined })).to.equal('grant')
      expect((await standingOf())[0]).to.include({ used: '150' })
    })
  })

  describe('holds as before', () => {
    it('what another counterparty, agent or currency asks', async () => {
      await approveInAdvance()
      const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
      expect(await ask({ counterpartyId })).to.equal('step_up_required')
      const other = await scene.ada.agent()
      expect(await scene.recommendationOf(scene.asking(other))).to.equal('step_up_required')
      expect(await ask()).to.equal('grant')
      // The agent's boundary is in dollars, so that other currencies are denied whatever the owner approved.
      expect(await ask({ currency: 'EUR' })).to.equal('deny')
      expect(await ask({ currency: undefined })).to.equal('step_up_required')
    })

    it('everything after its last day', async () => {
      const { rule } = await approveInAdvance()
      expect(Date.parse(rule.expiresAt) - scene.time.now).to.equal(7 * DAY_MS)
      scene.time.now += 7 * DAY_MS - 1
      expect(await ask()).to.equal('grant')
      scene.time.now += 1
      expect(await ask()).to.equal('step_up_required')
      expect(await standingOf()).to.deep.equal([])
    })

    it('spend from the stepUpThreshold on, which needs an assertion made for it, and more than the boundary allows', async () => {
      await approveInAdvance({ amount: 100_000, days: 1 })
      expect(await ask({ transactionValue: 200.75 })).to.equal('step_up_required')
      expect(await ask({ transactionValue: 50_000.5 })).to.equal('deny')
      expect(await ask({ resource: '/elsewhere' })).to.equal('deny')
      expect((await standingOf())[0]).to.include({ used: '150' })
    })

    it('a request about which more than the amount is asked', async () => {
      await approveInAdvance()
      const rules = [{ dimension: 'purpose', match: { actions: ['buy'] } }]
      const headers = { 'X-Svc-Elevation': await scene.ada.elevation() }
      await scene.ada.call('PUT', rulesPath(), { body: { rules }, headers })
      expect(await ask()).to.equal('step_up_required')
    })

    it('a request that proves less than the one that was held', async () => {
      await approveInAdvance()
      const { body } = await scene.verifyUnproven(scene.asking(buyer))
      expect(body.recommendation).to.equal('step_up_required')
      await scene.store(
        `UPDATE standing_approvals SET min_identity_proof = 'signature' WHERE agent_id = ?`,
        buyer,
      )
      expect(await ask()).to.equal('step_up_required')
    })

    it('an attempt about which the owner is being asked or has answered', async () => {
      const other = await scene.asked(buyer)
      const denied = await scene.asked(buyer)
      await approveInAdvance()
      await scene.ada.deny(denied.approvalId)
      expect(await scene.recommendationOf(other.request)).to.equal('step_up_required')
      expect(await scene.recommendationOf(denied.request)).to.equal('deny')
      expect(await ask()).to.equal('grant')
    })

    it('everything if the agent or the endpoint has another owner', async () => {
      await approveInAdvance()
      for (const column of ['owner_id', 'counterparty_owner_id']) {
        const [row] = await scene.store(`SELECT * FROM standing_approvals WHERE agent_id = ?`, buyer)
        const set = `UPDATE standing_approvals SET ${column} = ? WHERE agent_id = ?`
        await scene.store(set, 'SVCD-00000000000000000000', buyer)
        expect(await ask()).to.equal('step_up_required')
        await scene.store(set, (row as Record<string, string>)[column], buyer)
      }
      expect(await ask()).to.equal('grant')
    })
  })

  describe('is what the passkey signed', () => {
    it('not another amount or time, and not the request without terms', async () => {
      const { approvalId } = await scene.asked(buyer)
      const { authenticator, standingOptions, call } = scene.ada
      const optionsOf = async (terms: object) =>
        (await standingOptions(approvalId, terms)).body.assertionOptions
      const send = (options: never, standing?: object) =>
        call('POST', `/api/step-up-approvals/${approvalId}/approve`, {
          body: { response: authenticator.assert(options), standing },
        })
      const plain = (await scene.ada.readApproval(approvalId)).assertionOptions as never
      const signed = (await optionsOf(WEEK)) as never
      for (const [options, standing] of [
        [signed, { ...WEEK, amount: 501 }],
        [signed, { ...WEEK, days: 8 }],
        [signed, undefined],
        [plain, WEEK],
      ] as const) {
        expect(outcome(await send(options, standing))).to.deep.equal([403, 'PASSKEY_REJECTED'])
      }
      expect([await scene.statusOf(approvalId), await standingOf()]).to.deep.equal(['pending', []])
      expect((await send(signed, WEEK)).status).to.equal(200)
    })

    it('and the log has the terms with the assertion, for the owner only', async () => {
      const { rule, approvalId } = await approveInAdvance()
      expect(await ask()).to.equal('grant')
      const [approved] = await scene.store(
        `SELECT inputs FROM audit_records WHERE event_type = 'approval.approved' AND inputs LIKE ?`,
        `%${approvalId}%`,
      )
      const inputs = JSON.parse((approved as { inputs: string }).inputs)
      expect([inputs.standing, typeof inputs.assertion.signature]).to.deep.equal([WEEK, 'string'])
      const seenBy = async (options: object) => {
        const { items } = (await scene.call('GET', `/api/activity?agentId=${buyer}&limit=100`, options)).body
        return JSON.stringify(items)
      }
      const { items } = (await scene.ada.call('GET', `/api/activity?agentId=${buyer}&limit=100`)).body
      const added = items.find(({ eventData }: never) => (eventData as { change?: string }).change)
      expect(added.eventData).to.include({ change: 'standing_approval_added', amount: '500' })
      expect(JSON.stringify(items).split(rule.ruleId).length - 1).to.equal(2)
      expect(await seenBy({ bearer: scene.shop.apiKey })).to.not.contain(rule.ruleId)
    })

    it('refuses less than the request, no time, and more than 90 days', async () => {
      const { approvalId } = await scene.asked(buyer)
      for (const [terms, pointer] of [
        [{ amount: 149.99, days: 7 }, '/standing/amount'],
        [{ amount: 0, days: 7 }, '/standing/amount'],
        [{ amount: 500, days: 0 }, '/standing/days'],
        [{ amount: 500, days: 91 }, '/standing/days'],
        [{ amount: 500, days: 1.5 }, '/standing/days'],
      ] as const) {
        const refused = await scene.ada.standingOptions(approvalId, terms)
        expect([refused.status, refused.body.errors?.[0].pointer]).to.deep.equal([400, pointer])
      }
      expect(outcome(await scene.eve.standingOptions(approvalId, WEEK))).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('is not offered where each request has to be approved by itself', async () => {
      const offerOf = async (approvalId: string) => (await scene.ada.readApproval(approvalId)).standingOffer
      const { approvalId } = await scene.asked(buyer)
      const offer = { currency: 'USD', minAmount: 150, daysMax: 90 }
      expect(await offerOf(approvalId)).to.deep.equal(offer)
      const counterpartyUrl = 'http://localhost:9/buy'
      const unstored = await scene.asked(buyer, { counterpartyId: undefined, counterpartyUrl })
      const { body } = await scene.verifyUnproven(scene.asking(buyer))
      const fresh = await scene.asked(buyer, { transactionValue: 300 })
      for (const id of [unstored.approvalId, body.stepUpApproval.approvalId, fresh.approvalId]) {
        expect(await offerOf(id)).to.equal(null)
        expect(outcome(await scene.ada.standingOptions(id, WEEK))).to.deep.equal([409, 'INVALID_STATE'])
      }
      await scene.ada.deny(approvalId)
      expect(await offerOf(approvalId)).to.equal(null)
      expect(outcome(await scene.ada.standingOptions(approvalId, WEEK))).to.deep.equal([409, 'INVALID_STATE'])
    })
  })

  describe('as a rule of the agent', () => {
    it('names the counterparty, and what is used', async () => {
      const { rule } = await approveInAdvance()
      const [endpoint] = await scene.store('SELECT * FROM endpoints WHERE svce_id = ?', scene.svceId)
      expect(rule).to.deep.include({
        endpointId: scene.svceId,
        endpointName: 'Shop',
        endpointHost: (endpoint as { host: string }).host,
        ...{ currency: 'USD', amount: '500', used: '150', minIdentityProof: 'token' },
      })
    })

    it('is replaced by a later one for the same counterparty', async () => {
      const { rule } = await approveInAdvance()
      await ask({ transactionValue: 200 })
      const { approvalId } = await scene.asked(buyer, { transactionValue: 200 })
      await scene.ada.approveInAdvance(approvalId, { amount: 400, days: 1 })
      const rules = await standingOf()
      expect(rules.length).to.equal(1)
      expect(rules[0]).to.include({ amount: '400', used: '200' })
      expect(rules[0].ruleId).to.not.equal(rule.ruleId)
    })

    it('asks again as soon as the owner has removed it', async () => {
      const { rule } = await approveInAdvance()
      expect(await ask()).to.equal('grant')
      const path = `${rulesPath()}/${rule.ruleId}`
      const another = await scene.ada.agent()
      expect(outcome(await scene.eve.call('DELETE', path))).to.deep.equal([403, 'FORBIDDEN'])
      const elsewhere = `${rulesPath(another)}/${rule.ruleId}`
      expect(outcome(await scene.ada.call('DELETE', elsewhere))).to.deep.equal([404, 'NOT_FOUND'])
      expect((await scene.ada.call('DELETE', path)).status).to.equal(200)
      expect([await ask(), await standingOf()]).to.deep.equal(['step_up_required', []])
      expect(outcome(await scene.ada.call('DELETE', path))).to.deep.equal([404, 'NOT_FOUND'])
    })

    it('may be removed by members with write access, not by viewers', async () => {
      const [member, viewer] = [await scene.owner(), await scene.owner()]
      const roles = [
        [member, 'member'],
        [viewer, 'viewer'],
      ] as const
      buyer = await scene.ada.agent({}, await scene.ada.organizationWith(roles))
      const { rule } = await approveInAdvance()
      const path = `${rulesPath()}/${rule.ruleId}`
      expect((await standingOf(viewer)).length).to.equal(1)
      expect(outcome(await viewer.call('DELETE', path))).to.deep.equal([403, 'FORBIDDEN'])
      expect((await member.call('DELETE', path)).status).to.equal(200)
    })

    it('replays to the same decision, after it was removed, too', async () => {
      const { rule } = await approveInAdvance()
      const { auditRecordId } = (await scene.verify(scene.asking(buyer))).body
      await scene.ada.call('DELETE', `${rulesPath()}/${rule.ruleId}`)
      const replay = `/api/audit/records/${auditRecordId}/replay`
      const { body } = await scene.call('POST', replay, { bearer: scene.shop.apiKey })
      expect(body).to.include({ reproduced: true })
    })

    it('is refused beyond a hundred of an agent', async () => {
      await approveInAdvance()
      const columns = 'agent_id, currency, owner_id, counterparty_owner_id, amount, used, min_identity_proof'
      await scene.store(
        `INSERT INTO standing_approvals (id, endpoint_id, ${columns}, created_at, expires_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
          SELECT id || i, endpoint_id || i, ${columns}, created_at, expires_at FROM standing_approvals, n
          WHERE agent_id = ?`,
        buyer,
      )
      const { approvalId } = await scene.asked(buyer, { transactionValue: 200, currency: undefined })
      const refused = await scene.ada.approveInAdvance(approvalId, WEEK)
      expect(outcome(refused)).to.deep.equal([409, 'INVALID_STATE'])
      expect(await scene.statusOf(approvalId)).to.equal('pending')
    })
  })
})
