import { expect } from 'chai'
import { registerEndpoint } from '../../../builders/participants.ts'
import { reportFaultFigure } from '../../../harness/faults/reportFaultFigure.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from './openOwnerScene.ts'

const PATH = '/api/step-up-approvals'
const COPIES = 64
const ROUNDS = 12

describe('step-up approvals under races', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
  })
  after(() => scene?.service.stop())

  const asked = (fields: object = {}) => scene.asked(agentId, fields)
  const sendAll = (request: object, copies = COPIES) =>
    Promise.all(Array.from({ length: copies }, () => scene.verify(request)))
  const grantsIn = (answers: { body: { recommendation: string } }[]) =>
    answers.filter(({ body }) => body.recommendation === 'grant').length
  const pollOf = async (approvalId: string) =>
    (await scene.call('GET', `${PATH}/poll/${approvalId}`, { bearer: scene.shop.apiKey })).body.status

  it(`grants exactly one of ${COPIES} copies of an approved request`, async () => {
    for (let round = 0; round < 4; round += 1) {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const answers = await sendAll(request)
      expect(grantsIn(answers)).to.equal(1)
      const others = new Set(answers.map(({ body }) => body.stepUpApproval?.approvalId).filter(Boolean))
      expect([others.size, others.has(approvalId)]).to.deep.equal([1, false])
      expect(await pollOf(approvalId)).to.equal('consumed')
    }
    reportFaultFigure(`4 times ${COPIES} concurrent copies of an approved request: 4 granted`)
  })

  it('asks the owner once for concurrent copies', async () => {
    const answers = await sendAll(scene.asking(agentId))
    const asked = new Set(answers.map(({ body }) => body.stepUpApproval.approvalId))
    expect(asked.size).to.equal(1)
  })

  it('ends denied when approve and deny race, and never grants afterwards', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { request, approvalId } = await asked()
      const { assertionOptions } = await ada.readApproval(approvalId)
      const approve = () => ada.approveWith(approvalId, ada.authenticator.assert(assertionOptions))
      const deny = () => ada.deny(approvalId)
      const [one, two] = round % 2 === 0 ? [approve, deny] : [deny, approve]
      const answers = await Promise.all([one(), two()])
      const [approved, denied] = round % 2 === 0 ? answers : [answers[1], answers[0]]
      expect(denied?.status).to.equal(200)
      expect(approved?.status).to.be.oneOf([200, 409])
      expect(await pollOf(approvalId)).to.equal('denied')
      expect(grantsIn(await sendAll(request, 4))).to.equal(0)
    }
  })

  it('grants at most once when copies, approve and deny all race', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { request, approvalId } = await asked()
      const { assertionOptions } = await ada.readApproval(approvalId)
      const response = ada.authenticator.assert(assertionOptions)
      const [answers] = await Promise.all([
        sendAll(request, 16),
        ada.approveWith(approvalId, response),
        ada.deny(approvalId),
      ])
      const status = await pollOf(approvalId)
      expect(grantsIn(answers)).to.equal(status === 'consumed' ? 1 : 0)
      expect(status).to.be.oneOf(['denied', 'consumed'])
    }
  })

  it('accepts the decision of one of two devices, and informs the other', async () => {
    const { approvalId } = await asked()
    const { assertionOptions } = await ada.readApproval(approvalId)
    const responses = [1, 2].map(() => ada.authenticator.assert(assertionOptions))
    const answers = await Promise.all(responses.map((response) => ada.approveWith(approvalId, response)))
    const codes = answers.map(({ status }) => status)
    expect(codes.filter((status) => status === 200).length).to.equal(1)
    expect(codes.every((status) => [200, 403, 409].includes(status))).to.equal(true)
  })

  describe('an approval is valid for nothing else', () => {
    it('not for another value, resource, purpose, session or certification under the same attempt', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const others = [
        { transactionValue: 150.01 },
        { transactionValue: 151 },
        { resource: '/orders/2' },
        { jurisdiction: 'QX' },
        { purpose: 'shopping:canaryaction' },
        { sessionDuration: 77_771 },
        { resourceType: 'order' },
        { attemptId: request.attemptId.toUpperCase(), transactionValue: 151 },
      ]
      for (const other of others) {
        const { status, body } = await scene.verify({ ...request, ...other })
        expect([status, body.code]).to.deep.equal([409, 'ATTEMPT_MISMATCH'])
      }
      expect(await pollOf(approvalId)).to.equal('approved')
      expect((await scene.verify(request)).body.recommendation).to.equal('grant')
      reportFaultFigure(`${others.length} other requests under its attempt: 0 granted`)
    })

    it('not for a longer session than the one that was approved', async () => {
      const { request, approvalId } = await asked({ sessionDuration: 60 })
      expect((await ada.readApproval(approvalId)).request.sessionDuration).to.equal(60)
      await ada.approve(approvalId)
      const longer = await scene.verify({ ...request, sessionDuration: 61 })
      expect([longer.status, longer.body.code]).to.deep.equal([409, 'ATTEMPT_MISMATCH'])
      expect((await scene.verify(request)).body.recommendation).to.equal('grant')
    })

    it('not at another endpoint, where the same attempt is another name', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const counterpartyId = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
      const elsewhere = await scene.verify({ ...request, counterpartyId })
      expect(elsewhere.body.recommendation).to.equal('step_up_required')
      expect(elsewhere.body.stepUpApproval.approvalId).to.not.equal(approvalId)
      expect(await pollOf(approvalId)).to.equal('approved')
      expect((await scene.verify(request)).body.recommendation).to.equal('grant')
    })

    it('not for another agent, whose owner is asked separately', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const other = await scene.verify({ ...request, agentId: await ada.agent() })
      expect(other.body.recommendation).to.equal('step_up_required')
      expect(other.body.stepUpApproval.approvalId).to.not.equal(approvalId)
      expect(await pollOf(approvalId)).to.equal('approved')
    })

    it('not for another attempt at the same request', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const { attemptId: _, ...unnamed } = request
      const other = await scene.verify(unnamed)
      expect(other.body.recommendation).to.equal('step_up_required')
      expect(await pollOf(approvalId)).to.equal('approved')
    })

    it('not for a rule about which its owner was not asked', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const rules = [{ dimension: 'purpose', match: { categories: ['shopping'] } }]
      const changed = await ada.call('PUT', `/api/agents/${agentId}/approval-rules`, {
        body: { rules },
        headers: { 'X-Svc-Elevation': await ada.elevation() },
      })
      expect(changed.status).to.equal(200)
      const asksMore = await scene.verify(request)
      expect(asksMore.body.recommendation).to.equal('step_up_required')
      const next = asksMore.body.stepUpApproval.approvalId
      const approval = await ada.readApproval(next)
      expect(approval.dimensions).to.have.members([
        'pdlss.purpose.approval_required',
        'commerce.intent.approval_required',
      ])
      await ada.approve(next)
      expect((await scene.verify(request)).body.recommendation).to.equal('grant')
      scene.time.now += 30 * MINUTE_MS
    })
  })
})
