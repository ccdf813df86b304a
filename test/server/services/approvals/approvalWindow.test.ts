import { expect } from 'chai'
import { type Approvals, openApprovals } from './openApprovals.ts'
import { MINUTE_MS } from './openOwnerScene.ts'

describe('the window of a step-up approval', () => {
  let scene: Approvals

  before(async () => {
    scene = await openApprovals()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  it('is open to its last millisecond and closed at its end', async () => {
    const { request, approvalId } = await scene.ask()
    scene.time.now += 30 * MINUTE_MS - 1
    expect((await scene.ada.approve(approvalId)).status).to.equal(200)
    expect(await scene.recommendationOf(request)).to.equal('grant')
  })

  it('rejects both decisions once it has ended, and removes the approval from the pending list', async () => {
    const { request, approvalId } = await scene.ask()
    expect(await scene.listed('pending')).to.include(approvalId)
    scene.time.now += 30 * MINUTE_MS
    expect(await scene.statusOf(approvalId)).to.equal('expired')
    expect(await scene.listed('pending')).to.not.include(approvalId)
    expect(await scene.listed('expired')).to.include(approvalId)
    expect(outcome(await scene.ada.deny(approvalId))).to.deep.equal([409, 'INVALID_STATE'])
    const late = await scene.ada.approveWith(
      approvalId,
      scene.ada.authenticator.assert({ challenge: 'AAAA' }),
    )
    expect(outcome(late)).to.deep.equal([409, 'INVALID_STATE'])
    expect(await scene.recommendationOf(request)).to.equal('step_up_required')
  })

  it('ends an unused approval, to the millisecond', async () => {
    const { request, approvalId } = await scene.ask()
    await scene.ada.approve(approvalId)
    scene.time.now += 30 * MINUTE_MS
    const late = await scene.verify(request)
    expect(late.body.recommendation).to.equal('step_up_required')
    expect(late.body.stepUpApproval.approvalId).to.not.equal(approvalId)
    expect(await scene.statusOf(approvalId)).to.equal('expired')
  })
})
