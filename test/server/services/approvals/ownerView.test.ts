import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { APPROVALS, type Approvals, openApprovals } from './openApprovals.ts'

describe('the owner’s view of step-up approvals', () => {
  let scene: Approvals

  before(async () => {
    scene = await openApprovals()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  it('contains who requests what, the dimensions, and the remaining time', async () => {
    const { request, approvalId } = await scene.ask()
    const { status, body } = await scene.ada.call('GET', `${APPROVALS}/${approvalId}`)
    expect(status).to.equal(200)
    const { assertionOptions, ...approval } = body.approval
    expect(approval).to.deep.include({
      approvalId,
      status: 'pending',
      agentId: scene.agentId,
      agentName: 'Shopper',
      dimensions: ['commerce.intent.approval_required'],
      needsFreshAssertion: false,
      attemptId: request.attemptId,
      secondsLeft: 30 * 60,
      decidedAt: null,
    })
    expect(approval.request).to.deep.include({
      endpointId: scene.svceId,
      category: 'shopping',
      action: 'buy',
      resource: '/orders/1',
      jurisdiction: 'DE',
      transactionValue: 150,
      currency: 'USD',
    })
    expect(assertionOptions).to.deep.include({ rpId: 'localhost', userVerification: 'required' })
    expect(assertionOptions.allowCredentials[0].id).to.equal(scene.ada.authenticator.credentialId)
    expect(JSON.stringify(body)).to.not.match(/salt[^"]*":/i)
  })

  it('reports if the spend requires a fresh assertion', async () => {
    const { approvalId } = await scene.ask({ transactionValue: 300 })
    const approval = await scene.ada.readApproval(approvalId)
    expect(approval.needsFreshAssertion).to.equal(true)
  })

  it('is a list of pending approvals, newest first, in pages', async () => {
    const first = await scene.ask()
    const second = await scene.ask()
    expect((await scene.listed('pending')).slice(0, 2)).to.deep.equal([second.approvalId, first.approvalId])
    const page = (await scene.ada.call('GET', `${APPROVALS}?limit=1`)).body
    expect([page.items[0].approvalId, page.hasMore]).to.deep.equal([second.approvalId, true])
    const next = (await scene.ada.call('GET', `${APPROVALS}?limit=1&cursor=${page.nextCursor}`)).body
    expect(next.items[0].approvalId).to.equal(first.approvalId)
  })

  it('contains nothing of another owner, whatever is requested', async () => {
    const { approvalId } = await scene.ask()
    expect((await scene.eve.call('GET', APPROVALS)).body.items).to.deep.equal([])
    for (const refused of [
      await scene.eve.call('GET', `${APPROVALS}/${approvalId}`),
      await scene.eve.deny(approvalId),
      await scene.eve.approveWith(approvalId, scene.eve.authenticator.assert({ challenge: 'AAAA' })),
      await scene.ada.call('GET', `${APPROVALS}/${randomUUID()}`),
    ]) {
      expect(outcome(refused)).to.deep.equal([404, 'NOT_FOUND'])
    }
    expect(await scene.statusOf(approvalId)).to.equal('pending')
  })

  it('is available to sessions, not to API keys, and rejects an unknown status', async () => {
    const refused = await scene.call('GET', APPROVALS, { bearer: scene.shop.apiKey })
    expect(outcome(refused)).to.deep.equal([403, 'SESSION_REQUIRED'])
    expect(outcome(await scene.call('GET', APPROVALS))).to.deep.equal([401, 'UNAUTHENTICATED'])
    expect(outcome(await scene.ada.call('GET', `${APPROVALS}?status=open`))).to.deep.equal([
      400,
      'VALIDATION_ERROR',
    ])
  })

  it('has no options for an owner without a passkey', async () => {
    const ben = await scene.owner({ withPasskey: false })
    const { body } = await scene.verify(scene.asking(await ben.agent()))
    const approval = await ben.readApproval(body.stepUpApproval.approvalId)
    expect(approval.assertionOptions).to.equal(null)
  })
})
