import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { APPROVALS, type Approvals, openApprovals } from './openApprovals.ts'
import { MINUTE_MS } from './openOwnerScene.ts'

describe('the owner’s decision on a step-up approval', () => {
  let scene: Approvals

  before(async () => {
    scene = await openApprovals()
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

  describe('approving', () => {
    it('grants the same request once', async () => {
      const { request, approvalId } = await scene.ask()
      const approved = await scene.ada.approve(approvalId)
      expect([approved.status, approved.body.approval.status]).to.deep.equal([200, 'approved'])
      const granted = await scene.verify(request)
      expect(granted.body.recommendation).to.equal('grant')
      expect(await scene.statusOf(approvalId)).to.equal('consumed')
      const again = await scene.verify(request)
      expect(again.body.recommendation).to.equal('step_up_required')
      expect(again.body.stepUpApproval.approvalId).to.not.equal(approvalId)
    })

    it('grants the request to another key of the organisation, which may also poll', async () => {
      const { request, approvalId } = await scene.ask()
      await scene.ada.approve(approvalId)
      const polled = await scene.call('GET', `${APPROVALS}/poll/${approvalId}`, { bearer: scene.secondKey })
      expect([polled.status, polled.body.status]).to.deep.equal([200, 'approved'])
      expect(polled.headers.get('retry-after'), 'as nothing is waited for').to.equal(null)
      const body = await scene.prove({ ...request, attemptId: request.attemptId.toUpperCase() })
      const path = '/api/agents/verify-access'
      const granted = await scene.call('POST', path, { bearer: scene.secondKey, body })
      expect(granted.body.recommendation).to.equal('grant')
    })

    it('requires an assertion made for the approval from the stepUpThreshold on', async () => {
      const approveWithoutAssertion = (approvalId: string) =>
        scene.store(`UPDATE step_up_approvals SET status = 'approved' WHERE id = ?`, approvalId)
      const below = await scene.ask({ transactionValue: 200 })
      await approveWithoutAssertion(below.approvalId)
      expect(await scene.recommendationOf(below.request)).to.equal('grant')

      const above = await scene.ask({ transactionValue: 300 })
      await approveWithoutAssertion(above.approvalId)
      const { body } = await scene.verify(above.request)
      expect(body.recommendation).to.equal('step_up_required')
      expect(body.stepUpApproval.approvalId).to.not.equal(above.approvalId)
      await scene.ada.approve(body.stepUpApproval.approvalId)
      expect(await scene.recommendationOf(above.request)).to.equal('grant')
    })

    it('replays to a grant, also from a record without the kind of approval', async () => {
      const { request, approvalId } = await scene.ask({ transactionValue: 300 })
      await scene.ada.approve(approvalId)
      const { auditRecordId } = (await scene.verify(request)).body
      const replayed = async () => {
        const path = `/api/audit/records/${auditRecordId}/replay`
        return (await scene.call('POST', path, { bearer: scene.shop.apiKey })).body
      }
      expect(await replayed()).to.include({ reproduced: true })
      await scene.store(
        `UPDATE audit_records SET inputs = replace(inputs, '"hasFreshAssertion":true,', '') WHERE record_id = ?`,
        auditRecordId,
      )
      const { inputsMatch, replayed: again } = await replayed()
      expect([inputsMatch, again.recommendation]).to.deep.equal([false, 'grant'])
    })

    it('accepts only the assertion of this approval', async () => {
      const one = await scene.ask()
      const other = await scene.ask()
      const optionsOf = async (id: string) => (await scene.ada.readApproval(id)).assertionOptions
      const send = (response: unknown) => scene.ada.approveWith(one.approvalId, response)
      const elevation = await scene.ada.elevation()
      const signIn = (await scene.ada.call('POST', '/api/auth/passkeys/authentication/options', { body: {} }))
        .body
      const options = await optionsOf(one.approvalId)
      const stranger = createAuthenticator({ origin: scene.appUrl, rpId: 'localhost' })
      for (const response of [
        scene.ada.authenticator.assert(await optionsOf(other.approvalId)),
        scene.ada.authenticator.assert(signIn.options),
        scene.eve.authenticator.assert(options),
        stranger.assert(options),
        scene.ada.authenticator.assert(options, { origin: 'https://evil.test' }),
      ]) {
        expect(outcome(await send(response))).to.deep.equal([403, 'PASSKEY_REJECTED'])
      }
      const elevated = await scene.ada.call('POST', `${APPROVALS}/${one.approvalId}/approve`, {
        body: {},
        headers: { 'X-Svc-Elevation': elevation },
      })
      expect(outcome(elevated)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(await scene.statusOf(one.approvalId)).to.equal('pending')
    })

    it('is refused a second time', async () => {
      const { approvalId } = await scene.ask()
      const { assertionOptions } = await scene.ada.readApproval(approvalId)
      const send = () => scene.ada.approveWith(approvalId, scene.ada.authenticator.assert(assertionOptions))
      expect((await send()).status).to.equal(200)
      expect(outcome(await send())).to.deep.equal([409, 'INVALID_STATE'])
      const approval = await scene.ada.readApproval(approvalId)
      expect([approval.status, approval.assertionOptions]).to.deep.equal(['approved', null])
    })

    it('is available to members with write access to the owning organisation, not to viewers', async () => {
      const [member, viewer] = [await scene.owner(), await scene.owner()]
      const organizationId = await scene.ada.organizationWith([
        [member, 'member'],
        [viewer, 'viewer'],
      ])
      const owned = await scene.ada.agent({}, organizationId)
      const { approvalId } = (await scene.verify(scene.asking(owned))).body.stepUpApproval
      const seen = await viewer.readApproval(approvalId)
      expect([seen.status, seen.assertionOptions]).to.deep.equal(['pending', null])
      expect(outcome(await viewer.deny(approvalId))).to.deep.equal([403, 'FORBIDDEN'])
      const { assertionOptions } = await member.readApproval(approvalId)
      const forced = await viewer.approveWith(approvalId, viewer.authenticator.assert(assertionOptions))
      expect(outcome(forced)).to.deep.equal([403, 'FORBIDDEN'])
      expect((await member.approve(approvalId)).status).to.equal(200)
    })
  })

  describe('denying', () => {
    it('denies the request for as long as the approval would have been valid', async () => {
      const { request, approvalId } = await scene.ask()
      expect((await scene.ada.deny(approvalId)).body.approval.status).to.equal('denied')
      const denied = await scene.verify(request)
      expect(denied.body.recommendation).to.equal('deny')
      expect(denied.body.access.failures[0].dimension).to.equal('commerce.intent.approval_required')
      expect(denied.body).to.not.have.any.keys('stepUpApproval')
      scene.time.now += 30 * MINUTE_MS
      expect(await scene.recommendationOf(request)).to.equal('step_up_required')
    })

    it('overrides an unused approval, and is refused once it is used', async () => {
      const taken = await scene.ask()
      await scene.ada.approve(taken.approvalId)
      expect((await scene.ada.deny(taken.approvalId)).status).to.equal(200)
      expect(await scene.recommendationOf(taken.request)).to.equal('deny')
      expect(outcome(await scene.ada.deny(taken.approvalId))).to.deep.equal([409, 'INVALID_STATE'])

      const used = await scene.ask()
      await scene.ada.approve(used.approvalId)
      expect(await scene.recommendationOf(used.request)).to.equal('grant')
      expect(outcome(await scene.ada.deny(used.approvalId))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('is not overridden by a later approval', async () => {
      const { approvalId } = await scene.ask()
      const { assertionOptions } = await scene.ada.readApproval(approvalId)
      await scene.ada.deny(approvalId)
      const late = await scene.ada.approveWith(approvalId, scene.ada.authenticator.assert(assertionOptions))
      expect(outcome(late)).to.deep.equal([409, 'INVALID_STATE'])
      expect(await scene.statusOf(approvalId)).to.equal('denied')
    })
  })

  it('is reported to both parties, like every change of an approval', async () => {
    const consumed = await scene.ask()
    await scene.ada.approve(consumed.approvalId)
    await scene.verify(consumed.request)
    const denied = await scene.ask()
    await scene.ada.deny(denied.approvalId)
    const expired = await scene.ask()
    scene.time.now += 30 * MINUTE_MS
    const byOwner = (path: string) => scene.ada.call('GET', path)
    const byShop = (path: string) => scene.call('GET', path, { bearer: scene.shop.apiKey })
    const typesFor = async (approvalId: string, read: typeof byOwner) => {
      const { items } = (await read('/api/activity?limit=100')).body
      return items
        .filter((event: { eventData: { approvalId?: string } }) => event.eventData.approvalId === approvalId)
        .map((event: { eventType: string }) => event.eventType)
        .filter((type: string) => type.startsWith('approval.'))
        .reverse()
    }
    await waitUntil(async () => {
      const types = await typesFor(expired.approvalId, byOwner)
      return types.includes('approval.expired') ? types : null
    })
    for (const read of [byOwner, byShop]) {
      for (const [{ approvalId }, ...became] of [
        [consumed, 'approval.approved', 'approval.consumed'],
        [denied, 'approval.denied'],
        [expired, 'approval.expired'],
      ] as const) {
        expect(await typesFor(approvalId, read)).to.deep.equal(['approval.requested', ...became])
      }
    }
  })
})
