import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import {
  type Developer,
  openRequests,
  POLL,
  REQUESTS,
  type Requests,
} from '../registrationRequests/openRequests.ts'

/** `Spec: States and transitions`: every row of its table, in its order and wording. */
describe('the specification’s state table', () => {
  let scene: Requests
  let ada: Developer

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer()
  })
  after(() => scene?.service.stop())

  const asShop = (method: string, path: string, body?: object) =>
    scene.call(method, path, { bearer: scene.shop.accessToken, ...(body ? { body } : {}) })
  const byKey = (path: string, body: object) => scene.call('POST', path, { bearer: scene.shop.apiKey, body })
  const eventsAt = async (endpointId: string): Promise<string[]> => {
    const { items } = (await asShop('GET', `/api/activity?endpoint=${endpointId}`)).body
    return items.map(({ eventType }: { eventType: string }) => eventType)
  }
  const listed = async (include = ''): Promise<{ id: string; status: string; verificationTier: string }[]> =>
    (await asShop('GET', `/api/endpoints?limit=100&include=${include}`)).body.items
  /** An endpoint discovered by a verification, with its single event. */
  const discovered = async (): Promise<string> => {
    const counterpartyUrl = `https://${randomUUID()}.acme.io/api`
    expect((await byKey('/api/agents/verify-access', { counterpartyUrl })).status).to.equal(200)
    const items = await listed('discovered')
    const found = items.find((item) => 'counterpartyUrl' in item && item.counterpartyUrl === counterpartyUrl)
    expect(found).to.include({ verificationTier: 'discovered', status: 'active' })
    const { id = '' } = found ?? {}
    await waitUntil(async () => ((await eventsAt(id)).length > 0 ? true : null))
    return id
  }

  it('(none) · API-key agent registration · owner has a verified developer identity → pending', async () => {
    const newcomer = await scene.developer({ isVerified: false })
    const refused = await newcomer.register({ name: 'Shopper' })
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'KYD_REQUIRED'])
    const { status, body } = await ada.register({ name: 'Shopper' })
    expect([status, body.status]).to.deep.equal([202, 'pending_approval'])
    expect(await scene.poll(body.requestId)).to.include({ status: 'pending', agentId: null })
    const mail = await scene.mail(`registration_pending.${body.requestId}.${ada.userId}`)
    expect(mail).to.include(`${scene.appUrl}/registration-requests/${body.requestId}`)
    const { items } = (await ada.call('GET', '/api/alerts')).body
    expect(items[0]).to.deep.include({ code: 'registration_pending', readAt: null })
    expect(items[0].data.requestId).to.equal(body.requestId)
  })

  it('registration request pending · owner approves → approved', async () => {
    const requestId = await ada.asks({ name: 'Approved' })
    expect((await ada.approveRequest(requestId)).status).to.equal(200)
    const polled = (await scene.call('GET', `${POLL}/${requestId}`)).body
    expect(polled.status).to.equal('approved')
    const read = await scene.call('GET', `/api/agents/${polled.agentId}`)
    expect(read.body.agent).to.include({ name: 'Approved', agentStatus: 'active' })
    const again = await ada.call('POST', `${REQUESTS}/${requestId}/deny`, { body: {} })
    expect([again.status, again.body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('(none) · signed agent registration · crypto-keypair signature → agent registered', async () => {
    const timestamp = Math.floor(scene.time.now / 1000)
    const { svcId } = await registerAgent(scene.baseUrl, { name: 'Signed' }, { timestamp })
    const read = await scene.call('GET', `/api/agents/${svcId}`)
    expect(read.body.agent).to.include({ name: 'Signed', agentStatus: 'active' })
  })

  it('(none) · verification call naming an unregistered endpoint URL · authenticated call → discovered', async () => {
    const counterpartyUrl = `https://${randomUUID()}.acme.io/api`
    const stranger = await scene.call('POST', '/api/agents/verify-access', { body: { counterpartyUrl } })
    expect(stranger.status).to.equal(401)
    const id = await discovered()
    expect(await eventsAt(id)).to.deep.equal(['verification.unverified_deny'])
  })

  it('discovered · claim (dashboard action) → self_asserted', async () => {
    const id = await discovered()
    const byApiKey = await byKey(`/api/endpoints/${id}/claim`, {})
    expect([byApiKey.status, byApiKey.body.code]).to.deep.equal([403, 'SESSION_REQUIRED'])
    const organizationId = scene.shop.organizationId
    const claimed = await asShop('POST', `/api/endpoints/${id}/claim`, { organizationId })
    expect(claimed.status, JSON.stringify(claimed.body)).to.equal(200)
    expect(claimed.body.endpoint).to.include({ verificationTier: 'self_asserted', status: 'active' })
    expect(claimed.body.endpoint.svceId).to.match(/^SVCE-[0-9A-Za-z]{22}$/)
    expect(await eventsAt(claimed.body.endpoint.svceId)).to.include('verification.unverified_deny')
  })

  it('(none) · POST /api/endpoints · organisation API key → self_asserted', async () => {
    const body = { counterpartyType: 'api', name: 'Shop', trustScoreRequirement: 20 }
    const counterpartyUrl = `https://${randomUUID()}.acme.io/api`
    const personal = await scene.call('POST', '/api/endpoints', {
      bearer: scene.shop.personalKey,
      body: { ...body, counterpartyUrl },
    })
    expect([personal.status, personal.body.code]).to.deep.equal([409, 'ORG_REQUIRED'])
    const registered = await byKey('/api/endpoints', { ...body, counterpartyUrl })
    expect(registered.status).to.equal(201)
    expect(registered.body.svceId).to.match(/^SVCE-[0-9A-Za-z]{22}$/)
    expect(registered.body.endpoint).to.include({ verificationTier: 'self_asserted', status: 'active' })
  })

  it('active endpoint · deactivate (dashboard action) → deactivated', async () => {
    for (const id of [await discovered(), await registerEndpoint(scene.baseUrl, scene.shop.apiKey)]) {
      const before = await eventsAt(id)
      expect((await asShop('DELETE', `/api/endpoints/${id}`)).status).to.equal(405)
      const ended = await asShop('POST', `/api/endpoints/${id}/deactivate`)
      expect(ended.body.endpoint.status).to.equal('deactivated')
      expect(await eventsAt(id)).to.include.members(before)
    }
  })

  it('deactivated · archive (dashboard action) → archived', async () => {
    const id = await discovered()
    const early = await asShop('POST', `/api/endpoints/${id}/archive`)
    expect([early.status, early.body.code]).to.deep.equal([409, 'INVALID_STATE'])
    await asShop('POST', `/api/endpoints/${id}/deactivate`)
    const archived = await asShop('POST', `/api/endpoints/${id}/archive`)
    expect(archived.body.endpoint.status).to.equal('archived')
    const ids = async (include: string) => (await listed(include)).map((item) => item.id)
    expect(await ids('discovered')).not.to.include(id)
    expect(await ids('discovered,archived')).to.include(id)
    expect(await eventsAt(id)).to.include('verification.unverified_deny')
  })

  it('verification outcome · verification request · owner asked for approval on a dimension → step_up_required', async () => {
    const agentId = await ada.agent()
    const { body } = await scene.verify(scene.asking(agentId))
    expect(body.recommendation).to.equal('step_up_required')
    expect(body.stepUpApproval).to.include({ status: 'pending' })
    expect((await scene.verify(scene.asking(agentId, { transactionValue: 1 }))).body).not.to.have.property(
      'stepUpApproval',
    )
  })

  it('step-up pending · owner approves with passkey · within the approval window → approved', async () => {
    const agentId = await ada.agent()
    const request = scene.asking(agentId)
    const { approvalId } = (await scene.verify(request)).body.stepUpApproval
    expect((await ada.approve(approvalId)).body.approval.status).to.equal('approved')
    expect((await scene.verify(request)).body.recommendation).to.equal('grant')
    expect((await scene.verify(request)).body.recommendation).to.equal('step_up_required')
    const late = scene.asking(agentId)
    const { approvalId: lateId } = (await scene.verify(late)).body.stepUpApproval
    const { assertionOptions } = await ada.readApproval(lateId)
    scene.time.now += 30 * 60_000
    const answer = await ada.approveWith(lateId, ada.authenticator.assert(assertionOptions))
    expect([answer.status, answer.body.code]).to.deep.equal([409, 'INVALID_STATE'])
  })
})
