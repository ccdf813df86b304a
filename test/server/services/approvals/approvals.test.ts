import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createAuthenticator } from '../../../harness/peers/createAuthenticator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from './openOwnerScene.ts'

const PATH = '/api/step-up-approvals'

describe('step-up approvals', () => {
  let scene: OwnerScene
  let ada: Owner
  let eve: Owner
  let agentId: string
  /** Another key of the shop. */
  let secondKey: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    eve = await scene.owner()
    agentId = await ada.agent()
    const { accessToken: bearer, organizationId } = scene.shop
    const key = { name: 'second', organizationId }
    secondKey = (await scene.call('POST', '/api/api-keys', { bearer, body: key })).body.key
  })
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const asked = (fields: object = {}) => scene.asked(agentId, fields)
  const recommendationOf = async (request: object) => (await scene.verify(request)).body.recommendation
  const statusOf = async (approvalId: string) => (await ada.readApproval(approvalId)).status
  const listed = async (status: string) =>
    (await ada.call('GET', `${PATH}?status=${status}&limit=100`)).body.items.map(
      (approval: { approvalId: string }) => approval.approvalId,
    )

  describe('the owner’s view', () => {
    it('contains who requests what, the dimensions, and the remaining time', async () => {
      const { request, approvalId } = await asked()
      const { status, body } = await ada.call('GET', `${PATH}/${approvalId}`)
      expect(status).to.equal(200)
      const { assertionOptions, ...approval } = body.approval
      expect(approval).to.deep.include({
        approvalId,
        status: 'pending',
        agentId,
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
      expect(assertionOptions.allowCredentials[0].id).to.equal(ada.authenticator.credentialId)
      expect(JSON.stringify(body)).to.not.match(/salt[^"]*":/i)
    })

    it('contains only identifier and type of another account’s endpoint, as in the feed', async () => {
      const { approvalId } = await asked()
      const one = await ada.readApproval(approvalId)
      const [listed] = (await ada.call('GET', `${PATH}?limit=1`)).body.items
      const denied = (await ada.deny(approvalId)).body.approval
      for (const { request } of [one, listed, denied]) {
        expect(request).to.include({ endpointId: scene.svceId, counterpartyType: 'api' })
        expect(request).to.not.have.any.keys('counterpartyUrl', 'endpointTier')
      }
    })

    it('reports if the spend requires a fresh assertion', async () => {
      const { approvalId } = await asked({ transactionValue: 300 })
      const approval = await ada.readApproval(approvalId)
      expect(approval.needsFreshAssertion).to.equal(true)
    })

    it('is a list of pending approvals, newest first, in pages', async () => {
      const first = await asked()
      const second = await asked()
      expect((await listed('pending')).slice(0, 2)).to.deep.equal([second.approvalId, first.approvalId])
      const page = (await ada.call('GET', `${PATH}?limit=1`)).body
      expect([page.items[0].approvalId, page.hasMore]).to.deep.equal([second.approvalId, true])
      const next = (await ada.call('GET', `${PATH}?limit=1&cursor=${page.nextCursor}`)).body
      expect(next.items[0].approvalId).to.equal(first.approvalId)
    })

    it('contains nothing of another owner, whatever is requested', async () => {
      const { approvalId } = await asked()
      expect((await eve.call('GET', PATH)).body.items).to.deep.equal([])
      for (const refused of [
        await eve.call('GET', `${PATH}/${approvalId}`),
        await eve.deny(approvalId),
        await eve.approveWith(approvalId, eve.authenticator.assert({ challenge: 'AAAA' })),
        await ada.call('GET', `${PATH}/${randomUUID()}`),
      ]) {
        expect(outcome(refused)).to.deep.equal([404, 'NOT_FOUND'])
      }
      expect(await statusOf(approvalId)).to.equal('pending')
    })

    it('is available to sessions, not to API keys, and rejects an unknown status', async () => {
      const refused = await scene.call('GET', PATH, { bearer: scene.shop.apiKey })
      expect(outcome(refused)).to.deep.equal([403, 'SESSION_REQUIRED'])
      expect(outcome(await scene.call('GET', PATH))).to.deep.equal([401, 'UNAUTHENTICATED'])
      expect(outcome(await ada.call('GET', `${PATH}?status=open`))).to.deep.equal([400, 'VALIDATION_ERROR'])
    })

    it('has no options for an owner without a passkey', async () => {
      const ben = await scene.owner({ withPasskey: false })
      const { body } = await scene.verify(scene.asking(await ben.agent()))
      const approval = await ben.readApproval(body.stepUpApproval.approvalId)
      expect(approval.assertionOptions).to.equal(null)
    })
  })

  describe('approving', () => {
    it('grants the same request once', async () => {
      const { request, approvalId } = await asked()
      const approved = await ada.approve(approvalId)
      expect([approved.status, approved.body.approval.status]).to.deep.equal([200, 'approved'])
      const granted = await scene.verify(request)
      expect(granted.body.recommendation).to.equal('grant')
      expect(await statusOf(approvalId)).to.equal('consumed')
      const again = await scene.verify(request)
      expect(again.body.recommendation).to.equal('step_up_required')
      expect(again.body.stepUpApproval.approvalId).to.not.equal(approvalId)
    })

    it('grants the request to another key of the organisation, which may also poll', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      const polled = await scene.call('GET', `${PATH}/poll/${approvalId}`, { bearer: secondKey })
      expect([polled.status, polled.body.status]).to.deep.equal([200, 'approved'])
      const attemptId = request.attemptId.toUpperCase()
      const granted = await scene.call('POST', '/api/agents/verify-access', {
        bearer: secondKey,
        body: { ...request, attemptId },
      })
      expect(granted.body.recommendation).to.equal('grant')
    })

    it('requires an assertion made for the approval from the stepUpThreshold on', async () => {
      const approveWithoutAssertion = (approvalId: string) =>
        scene.store(`UPDATE step_up_approvals SET status = 'approved' WHERE id = ?`, approvalId)
      const below = await asked({ transactionValue: 200 })
      await approveWithoutAssertion(below.approvalId)
      expect(await recommendationOf(below.request)).to.equal('grant')

      const above = await asked({ transactionValue: 300 })
      await approveWithoutAssertion(above.approvalId)
      const { body } = await scene.verify(above.request)
      expect(body.recommendation).to.equal('step_up_required')
      expect(body.stepUpApproval.approvalId).to.not.equal(above.approvalId)
      await ada.approve(body.stepUpApproval.approvalId)
      expect(await recommendationOf(above.request)).to.equal('grant')
    })

    it('replays to a grant, also from a record without the kind of approval', async () => {
      const { request, approvalId } = await asked({ transactionValue: 300 })
      await ada.approve(approvalId)
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
      const one = await asked()
      const other = await asked()
      const optionsOf = async (id: string) => (await ada.readApproval(id)).assertionOptions
      const send = (response: unknown) => ada.approveWith(one.approvalId, response)
      const elevation = await ada.elevation()
      const signIn = (await ada.call('POST', '/api/auth/passkeys/authentication/options', { body: {} })).body
      const options = await optionsOf(one.approvalId)
      const stranger = createAuthenticator({ origin: scene.appUrl, rpId: 'localhost' })
      for (const response of [
        ada.authenticator.assert(await optionsOf(other.approvalId)),
        ada.authenticator.assert(signIn.options),
        eve.authenticator.assert(options),
        stranger.assert(options),
        ada.authenticator.assert(options, { origin: 'https://evil.test' }),
      ]) {
        expect(outcome(await send(response))).to.deep.equal([403, 'PASSKEY_REJECTED'])
      }
      const elevated = await ada.call('POST', `${PATH}/${one.approvalId}/approve`, {
        body: {},
        headers: { 'X-Svc-Elevation': elevation },
      })
      expect(outcome(elevated)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(await statusOf(one.approvalId)).to.equal('pending')
    })

    it('is refused a second time', async () => {
      const { approvalId } = await asked()
      const { assertionOptions } = await ada.readApproval(approvalId)
      const send = () => ada.approveWith(approvalId, ada.authenticator.assert(assertionOptions))
      expect((await send()).status).to.equal(200)
      expect(outcome(await send())).to.deep.equal([409, 'INVALID_STATE'])
      const approval = await ada.readApproval(approvalId)
      expect([approval.status, approval.assertionOptions]).to.deep.equal(['approved', null])
    })

    it('is available to members with write access to the owning organisation, not to viewers', async () => {
      const [member, viewer] = [await scene.owner(), await scene.owner()]
      const organizationId = await ada.organizationWith([
        [member, 'member'],
        [viewer, 'viewer'],
      ])
      const owned = await ada.agent({}, organizationId)
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
      const { request, approvalId } = await asked()
      expect((await ada.deny(approvalId)).body.approval.status).to.equal('denied')
      const denied = await scene.verify(request)
      expect(denied.body.recommendation).to.equal('deny')
      expect(denied.body.access.failures[0].dimension).to.equal('commerce.intent.approval_required')
      expect(denied.body).to.not.have.any.keys('stepUpApproval')
      scene.time.now += 30 * MINUTE_MS
      expect(await recommendationOf(request)).to.equal('step_up_required')
    })

    it('overrides an unused approval, and is refused once it is used', async () => {
      const taken = await asked()
      await ada.approve(taken.approvalId)
      expect((await ada.deny(taken.approvalId)).status).to.equal(200)
      expect(await recommendationOf(taken.request)).to.equal('deny')
      expect(outcome(await ada.deny(taken.approvalId))).to.deep.equal([409, 'INVALID_STATE'])

      const used = await asked()
      await ada.approve(used.approvalId)
      expect(await recommendationOf(used.request)).to.equal('grant')
      expect(outcome(await ada.deny(used.approvalId))).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('is not overridden by a later approval', async () => {
      const { approvalId } = await asked()
      const { assertionOptions } = await ada.readApproval(approvalId)
      await ada.deny(approvalId)
      const late = await ada.approveWith(approvalId, ada.authenticator.assert(assertionOptions))
      expect(outcome(late)).to.deep.equal([409, 'INVALID_STATE'])
      expect(await statusOf(approvalId)).to.equal('denied')
    })
  })

  describe('the window', () => {
    it('is open to its last millisecond and closed at its end', async () => {
      const { request, approvalId } = await asked()
      scene.time.now += 30 * MINUTE_MS - 1
      expect((await ada.approve(approvalId)).status).to.equal(200)
      expect(await recommendationOf(request)).to.equal('grant')
    })

    it('rejects both decisions once it has ended, and removes the approval from the pending list', async () => {
      const { request, approvalId } = await asked()
      expect(await listed('pending')).to.include(approvalId)
      scene.time.now += 30 * MINUTE_MS
      expect(await statusOf(approvalId)).to.equal('expired')
      expect(await listed('pending')).to.not.include(approvalId)
      expect(await listed('expired')).to.include(approvalId)
      expect(outcome(await ada.deny(approvalId))).to.deep.equal([409, 'INVALID_STATE'])
      const late = await ada.approveWith(approvalId, ada.authenticator.assert({ challenge: 'AAAA' }))
      expect(outcome(late)).to.deep.equal([409, 'INVALID_STATE'])
      expect(await recommendationOf(request)).to.equal('step_up_required')
    })

    it('ends an unused approval, to the millisecond', async () => {
      const { request, approvalId } = await asked()
      await ada.approve(approvalId)
      scene.time.now += 30 * MINUTE_MS
      const late = await scene.verify(request)
      expect(late.body.recommendation).to.equal('step_up_required')
      expect(late.body.stepUpApproval.approvalId).to.not.equal(approvalId)
      expect(await statusOf(approvalId)).to.equal('expired')
    })
  })

  it('notifies both parties of every change of an approval', async () => {
    const consumed = await asked()
    await ada.approve(consumed.approvalId)
    await scene.verify(consumed.request)
    const denied = await asked()
    await ada.deny(denied.approvalId)
    const expired = await asked()
    scene.time.now += 30 * MINUTE_MS
    const byOwner = (path: string) => ada.call('GET', path)
    const byShop = (path: string) => scene.call('GET', path, { bearer: scene.shop.apiKey })
    const typesFor = async (approvalId: string, read: typeof byOwner) => {
      const { items } = (await read('/api/activity?limit=100')).body
      return items
        .filter((event: { eventData: { approvalId?: string } }) => event.eventData.approvalId === approvalId)
        .map((event: { eventType: string }) => event.eventType)
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
