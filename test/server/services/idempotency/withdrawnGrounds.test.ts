import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { EVALUATION, EVALUATIONS } from '../authzen/openCertificationScene.ts'
import { openReceipts, type ReceiptScene } from '../receipts/openReceipts.ts'

const VERIFY = '/api/agents/verify-access'
const MINUTE_MS = 60_000

describe('a decision under an Idempotency-Key', () => {
  let scene: ReceiptScene
  let agentId: string

  before(async () => {
    scene = await openReceipts()
  })
  beforeEach(async () => {
    agentId = await scene.agentOwner.agent()
  })
  after(() => scene?.service.stop())

  /** Sends the same request under one key as often as it is called. */
  const under = (body: object, path = VERIFY, key: string = randomUUID()) => {
    const send = async () => {
      const headers = { 'idempotency-key': key }
      const answer = await scene.call('POST', path, { bearer: scene.shop.apiKey, body, headers })
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
      return { isReplayed: answer.headers.get('idempotent-replayed') === 'true', body: answer.body }
    }
    return Object.assign(send, { key })
  }
  const asking = (fields: object = {}) => scene.asking(agentId, { transactionValue: 5, ...fields })
  const end = async (sessionId: unknown) => {
    const options = { bearer: scene.shop.apiKey, body: {} }
    expect((await scene.call('POST', `${VERIFY}/${sessionId}/end`, options)).status).to.equal(200)
  }
  /** Sets the row to its state when the process dies after the commit and before the response is stored. */
  const interrupt = (key: string) =>
    scene.store(
      `UPDATE idempotency_keys SET state = 'applied', answer = NULL, claimed_at = ? WHERE key = ?`,
      scene.time.now - MINUTE_MS - 1_000,
      key,
    )
  const rulesPath = () => `/api/agents/${agentId}/approval-rules`
  /** Approves further requests of 150 in advance, and returns how to withdraw that. */
  async function approveInAdvance(amount = 1_000) {
    const { approvalId } = await scene.asked(agentId)
    const approved = await scene.agentOwner.approveInAdvance(approvalId, { amount, days: 1 })
    expect(approved.status).to.equal(200)
    const { standing } = (await scene.agentOwner.call('GET', rulesPath())).body
    const path = `${rulesPath()}/${standing[0].ruleId}`
    return async () => expect((await scene.agentOwner.call('DELETE', path)).status).to.equal(200)
  }
  const spent = async () => (await scene.agentOwner.call('GET', rulesPath())).body.standing[0].used

  describe('that rests on an approval in advance', () => {
    it('is repeated while that is in force, which is used once', async () => {
      await approveInAdvance()
      const ask = under(await scene.prove(asking({ transactionValue: 150 })))
      const first = await ask()
      expect(first.body.recommendation).to.equal('grant')
      expect(await ask()).to.deep.equal({ isReplayed: true, body: first.body })
      // The request at hand when it was given counts, too.
      expect(await spent()).to.equal('300')
    })

    it('is repeated while another one for the same is in force, such as for a higher amount', async () => {
      await approveInAdvance(301)
      const ask = under(await scene.prove(asking({ transactionValue: 150 })))
      const first = await ask()
      expect(first.body.recommendation).to.equal('grant')
      await approveInAdvance(5_000)
      expect(await ask()).to.deep.equal({ isReplayed: true, body: first.body })
      expect(await spent()).to.equal('150')
    })

    it('is made again once its owner has withdrawn that', async () => {
      const withdraw = await approveInAdvance()
      const ask = under(await scene.prove(asking({ transactionValue: 150 })))
      expect((await ask()).body.recommendation).to.equal('grant')
      await withdraw()
      const { isReplayed, body } = await ask()
      expect([isReplayed, body.recommendation === 'grant']).to.deep.equal([false, false])
    })

    it('is made again once that has expired', async () => {
      await approveInAdvance()
      const ask = under(await scene.prove(asking({ transactionValue: 150 })))
      expect((await ask()).body.recommendation).to.equal('grant')
      const [approval] = await scene.store(
        'UPDATE standing_approvals SET expires_at = ? WHERE agent_id = ? RETURNING id',
        scene.time.now,
        agentId,
      )
      expect(approval).to.not.equal(undefined)
      expect((await ask()).isReplayed).to.equal(false)
    })

    it('is not taken over from a process that died, once its owner has withdrawn that', async () => {
      const withdraw = await approveInAdvance()
      const ask = under(await scene.prove(asking({ transactionValue: 150 })))
      expect((await ask()).body.recommendation).to.equal('grant')
      await interrupt(ask.key)
      await withdraw()
      expect((await ask()).body.recommendation).to.not.equal('grant')
    })
  })

  it('is repeated whatever is withdrawn on which it does not rest', async () => {
    const withdraw = await approveInAdvance()
    const [ask, other] = [under(asking()), under(asking())]
    const [first, { body }] = [await ask(), await other()]
    await withdraw()
    await end(body.sessionId)
    expect(await ask()).to.deep.equal({ isReplayed: true, body: first.body })
  })

  it('is made again once its session was ended, with a session of its own', async () => {
    const ask = under(asking({ includeReceipt: false }))
    const { sessionId } = (await ask()).body
    await end(sessionId)
    const { isReplayed, body } = await ask()
    expect([isReplayed, body.recommendation]).to.deep.equal([false, 'grant'])
    expect(body.sessionId).to.be.a('string').and.not.equal(sessionId)
    expect(await ask()).to.deep.equal({ isReplayed: true, body })
  })

  it('is not taken over from a process that died, once its session was ended', async () => {
    const ask = under(asking())
    const { sessionId } = (await ask()).body
    await interrupt(ask.key)
    await end(sessionId)
    expect((await ask()).body.sessionId)
      .to.be.a('string')
      .and.not.equal(sessionId)
  })

  it('is made again once its receipt was withdrawn, even if its agent is as before', async () => {
    const ask = under(asking({ includeReceipt: true }))
    const { receipt } = (await ask()).body
    for (const step of ['suspend', 'resume'])
      await scene.agentOwner.call('POST', `/api/agents/${agentId}/${step}`, { body: {} })
    const { isReplayed, body } = await ask()
    expect([isReplayed, body.recommendation]).to.deep.equal([false, 'grant'])
    expect(body.receipt).to.be.a('string').and.not.equal(receipt)
  })

  describe('of AuthZEN', () => {
    const evaluation = () => ({
      subject: { type: 'agent', id: agentId },
      action: { name: 'shopping:buy', properties: { transactionValue: 1, currency: 'USD' } },
      resource: { type: 'order', id: '/orders/1', properties: { counterpartyId: scene.svceId } },
      context: { jurisdiction: 'DE' },
    })

    it('is made again once its session was ended', async () => {
      const ask = under(evaluation(), EVALUATION)
      const { sessionId } = (await ask()).body.context
      expect((await ask()).isReplayed).to.equal(true)
      await end(sessionId)
      expect((await ask()).isReplayed).to.equal(false)
    })

    it('is made again with its batch once any session of that was ended', async () => {
      const ask = under({ evaluations: [evaluation(), {}, evaluation()] }, EVALUATIONS)
      const { evaluations } = (await ask()).body
      expect((await ask()).isReplayed).to.equal(true)
      await end(evaluations[2].context.sessionId)
      const again = await ask()
      expect(again.isReplayed).to.equal(false)
      expect(again.body.evaluations[2].context.sessionId).to.not.equal(evaluations[2].context.sessionId)
    })
  })
})
