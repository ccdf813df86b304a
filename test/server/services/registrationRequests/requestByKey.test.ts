import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import {
  agentsOf,
  DAY_MS,
  type Developer,
  openRequests,
  POLL,
  REQUESTS,
  type Requests,
  seen,
} from './openRequests.ts'

describe('an agent registered by API key', () => {
  let scene: Requests
  let ada: Developer

  before(async () => {
    scene = await openRequests()
    ada = await scene.developer()
  })
  after(() => scene?.service.stop())

  /** A session of a viewer of an organisation. */
  const viewerOf = async (organizationId: string): Promise<string> => {
    const account = { password: 'correct horse battery', fullName: 'A Viewer', accountType: 'individual' }
    const body = { ...account, email: `viewer.${randomUUID()}@people.io` }
    const { data } = (await scene.call('POST', '/api/auth/register', { body })).body
    await scene.store(
      'INSERT INTO memberships (organization_id, user_id, role, status, created_at) VALUES (?, ?, ?, ?, ?)',
      ...[organizationId, data.user.id, 'viewer', 'active', scene.time.now],
    )
    return data.accessToken
  }

  it('requires a verified developer identity', async () => {
    const newcomer = await scene.developer({ isVerified: false })
    expect(seen(await newcomer.register({ name: 'Shopper' }))).to.deep.equal([403, 'KYD_REQUIRED'])
  })

  it('reports an unverified identity whatever the body', async () => {
    const newcomer = await scene.developer({ isVerified: false })
    expect(seen(await newcomer.register({ name: 5 }))).to.deep.equal([403, 'KYD_REQUIRED'])
  })

  it('has one request under an Idempotency-Key, also if the process died before its response', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await ada.register({ name: 'Shopper' }, headers)
    await scene.store(
      `UPDATE idempotency_keys SET state = 'applied', answer = NULL, claimed_at = ? WHERE key = ?`,
      ...[scene.time.now - 61_000, headers['idempotency-key']],
    )
    const again = await ada.register({ name: 'Shopper' }, headers)
    expect(again.headers.get('idempotent-replayed')).to.equal(null)
    expect(again.body).to.deep.equal(first.body)
  })

  it('awaits its owner’s decision, and anyone with its id can poll the request', async () => {
    const { status, body } = await ada.register({ name: 'Shopper' })
    expect([status, body.status]).to.deep.equal([202, 'pending_approval'])
    expect(body.requestId).to.match(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(body.pollUrl).to.equal(`${POLL}/${body.requestId}`)
    const polled = await scene.call('GET', body.pollUrl)
    const at = new Date(scene.time.now).toISOString()
    expect(polled.body).to.deep.equal({
      success: true,
      requestId: body.requestId,
      status: 'pending',
      agentId: null,
      svcId: null,
      requestedAt: at,
      lastEventAt: at,
      expiresAt: new Date(scene.time.now + 7 * DAY_MS).toISOString(),
      denialReason: null,
    })
    expect(polled.headers.get('retry-after')).to.match(/^\d+$/)
    expect(await agentsOf(ada)).to.deep.equal([])
  })

  it('is reported to its owner on the dashboard and by mail', async () => {
    const requestId = await ada.asks({ name: 'Told' })
    const mail = await scene.mail(`registration_pending.${requestId}.${ada.userId}`)
    expect(mail).to.include(`To: ${ada.email}`)
    expect(mail).to.include(`${scene.appUrl}/registration-requests/${requestId}`).and.to.include('Told')
    const alert = await waitUntil(async () => {
      const { items } = (await ada.call('GET', '/api/alerts')).body
      return items.find(({ data }: { data: { requestId?: string } }) => data.requestId === requestId) ?? null
    })
    expect(alert).to.include({ code: 'registration_pending', severity: 'warning' })
    expect(alert.data.agentName).to.equal('Told')
  })

  it('belongs to the key’s organisation, whose viewers can only read the request', async () => {
    const { body } = await ada.call('POST', '/api/organizations', { body: { name: 'Acme' } })
    const { organizationId } = body
    const key = await ada.call('POST', '/api/api-keys', { body: { name: 'org', organizationId } })
    const asked = await scene.call('POST', '/api/agents/register', {
      bearer: key.body.key,
      body: { name: 'Ours' },
    })
    const { requestId } = asked.body
    const viewer = await viewerOf(organizationId)
    const shown = await scene.call('GET', `${REQUESTS}/${requestId}`, { bearer: viewer })
    expect(shown.body.request).to.include({ ownerId: organizationId, assertionOptions: null })
    for (const action of ['deny', 'options']) {
      const path = `${REQUESTS}/${requestId}/${action}`
      const refused = await scene.call('POST', path, { bearer: viewer, body: {} })
      expect(seen(refused), action).to.deep.equal([403, 'FORBIDDEN'])
    }
    expect((await ada.approveRequest(requestId)).status).to.equal(200)
    const { svcId } = await scene.poll(requestId)
    expect(await scene.ownerOf(svcId)).to.equal(organizationId)
  })

  it('can be denied with a reason, which the requester sees', async () => {
    const requestId = await ada.asks()
    const denied = await ada.denyRequest(requestId, { reason: 'Not ours' })
    expect(denied.body.request).to.include({ status: 'denied', denialReason: 'Not ours' })
    expect(await scene.poll(requestId)).to.include({
      status: 'denied',
      denialReason: 'Not ours',
      agentId: null,
    })
    expect(seen(await ada.denyRequest(requestId))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await ada.read(requestId)).assertionOptions).to.equal(null)
  })

  it('can be denied without a reason and without a body', async () => {
    const requestId = await ada.asks()
    const denied = await ada.call('POST', `${REQUESTS}/${requestId}/deny`)
    expect([denied.status, denied.body.request?.denialReason]).to.deep.equal([200, null])
  })

  it('expires after seven days, whoever notices first', async () => {
    const requestId = await ada.asks({ name: 'Late' })
    const signed = await ada.signed(requestId)
    const { expiresAt } = await scene.poll(requestId)
    scene.time.now = Date.parse(expiresAt) - 1
    expect((await scene.poll(requestId)).status).to.equal('pending')
    scene.time.now += 1
    expect(await scene.poll(requestId)).to.include({
      status: 'expired',
      lastEventAt: expiresAt,
      agentId: null,
    })
    const approve = () => ada.call('POST', `${REQUESTS}/${requestId}/approve`, { body: signed })
    expect(seen(await approve())).to.deep.equal([409, 'INVALID_STATE'])
    expect(seen(await ada.denyRequest(requestId))).to.deep.equal([409, 'INVALID_STATE'])
    const { items } = (await ada.call('GET', `${REQUESTS}?status=expired`)).body
    expect(items.map((one: { requestId: string }) => one.requestId)).to.include(requestId)
    await waitUntil(async () => {
      const events = await ada.call('GET', '/api/activity?eventType=registration.expired')
      if (events.status === 503) return null
      expect(events.status, JSON.stringify(events.body)).to.equal(200)
      const mine = (one: { eventData: { requestId: string } }) => one.eventData.requestId === requestId
      return events.body.items.find(mine) ?? null
    })
    expect(await scene.poll(requestId)).to.include({ status: 'expired', lastEventAt: expiresAt })
  })

  describe('is refused immediately if it could never be approved', () => {
    const pointerOf = async (body: object) => {
      const answer = await ada.register({ name: 'Bad', ...body })
      return [answer.status, answer.body.errors?.[0]?.pointer]
    }
    it('with a consent of a signed registration', async () => {
      const onChain = { deadline: 1, signature: '0x00' }
      expect(await pointerOf({ onChain })).to.deep.equal([400, '/onChain'])
    })
    it('with another account’s parent, whose owner is notified', async () => {
      const other = await scene.owner()
      const parentAgentId = await other.agent()
      expect(await pointerOf({ parentAgentId })).to.deep.equal([400, '/parentAgentId'])
      const alert = await waitUntil(
        async () => (await other.call('GET', '/api/alerts')).body.items[0] ?? null,
      )
      expect(alert.code).to.equal('agent.ownership_mismatch_attempt')
      expect(alert.data).to.deep.include({ agentId: parentAgentId })
      expect(alert.data.agentName).to.be.a('string')
    })
    it('with invalid fields', async () => {
      expect(await pointerOf({ name: '' })).to.deep.equal([400, '/name'])
    })
  })

  it('is requested once under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const [first, second] = [
      await ada.register({ name: 'Once' }, headers),
      await ada.register({ name: 'Once' }, headers),
    ]
    expect(second.body).to.deep.equal(first.body)
    expect(second.headers.get('idempotent-replayed')).to.equal('true')
  })

  it('is limited to a hundred pending requests per owner', async () => {
    const flooded = await scene.developer()
    const statuses: number[] = []
    for (let made = 0; made < 101; made += 1) statuses.push((await flooded.register({ name: 'Many' })).status)
    expect(statuses.filter((status) => status === 202)).to.have.length(100)
    expect(statuses.at(-1)).to.equal(409)
    const first = (await flooded.call('GET', `${REQUESTS}?limit=60`)).body
    const rest = (await flooded.call('GET', `${REQUESTS}?limit=60&cursor=${first.nextCursor}`)).body
    expect([first.items.length, rest.items.length, rest.hasMore]).to.deep.equal([60, 40, false])
  })

  it('reveals nothing about an unknown request', async () => {
    const answer = await scene.call('GET', `${POLL}/${randomUUID()}`)
    expect(seen(answer)).to.deep.equal([404, 'NOT_FOUND'])
  })
})
