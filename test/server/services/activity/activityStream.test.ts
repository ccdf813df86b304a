import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openEventStream, type StreamedEvent } from '../../../harness/service/openEventStream.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const PATH = '/api/activity/stream'

describe('GET /api/activity/stream', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  const open: { close(): Promise<void> }[] = []

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent()
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.close()
  })
  after(() => scene?.service.stop())

  async function stream(bearer = scene.shop.apiKey, query = '', lastEventId?: string) {
    const opened = await openEventStream(scene.baseUrl + PATH + query, { bearer, lastEventId })
    open.push(opened)
    if (opened.status === 200) await opened.opened()
    return opened
  }
  const granted = (fields: object = {}) =>
    scene.verify(scene.asking(agentId, { transactionValue: 20, ...fields }))
  const recordIds = (events: StreamedEvent[]) => events.map(({ data }) => data.id)

  it('shows new events to both parties, in the form of the list', async () => {
    await granted()
    const { data } = (
      await scene.call('POST', '/api/auth/login', {
        body: { email: ada.email, password: 'correct horse battery' },
      })
    ).body
    const theirs = await stream()
    const own = await stream(data.accessToken)
    const answers = [
      await granted(),
      await granted({ resource: '/x' }),
      await scene.verify({ counterpartyId: scene.svceId }),
    ]
    const ids = answers.map(({ body }) => body.auditRecordId)
    expect(recordIds(await theirs.received(3))).to.deep.equal(ids)
    await own.received(2)
    await waitUntil(async () =>
      ids.slice(0, 2).every((id) => recordIds(own.events).includes(id)) ? true : null,
    )
    expect(recordIds(own.events)).to.not.include(ids[2])
    for (const [seen, bearer] of [
      [theirs, scene.shop.apiKey],
      [own, data.accessToken],
    ] as const) {
      // Events from the chain for the owner may arrive between the two.
      const shown = seen.events.map((event) => event.data)
      const { items } = (await scene.call('GET', '/api/activity', { bearer })).body
      const listed = items.filter(({ id }: { id: string }) => shown.some((event) => event.id === id))
      expect(shown).to.deep.equal(listed.reverse())
    }
    expect(theirs.events.map(({ type }) => type)).to.deep.equal([
      'verification.completed',
      'verification.denied',
      'verification.unverified_deny',
    ])
    expect(theirs.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8')
    expect(theirs.headers.get('cache-control')).to.equal('no-store')
  })

  it('continues after the client’s last event, without gaps or repetitions', async () => {
    const first = await stream()
    for (let nth = 0; nth < 3; nth += 1) await granted()
    await first.received(3)
    await first.close()
    const missed = []
    for (let nth = 0; nth < 120; nth += 1) missed.push((await granted()).body.auditRecordId)
    const second = await stream(scene.shop.apiKey, '', first.events[0]?.id)
    const events = await second.received(122)
    expect(recordIds(events).slice(2)).to.deep.equal(missed)
    expect(recordIds(events).slice(0, 2)).to.deep.equal(recordIds(first.events).slice(1))
    const live = (await granted()).body.auditRecordId
    expect(recordIds(await second.received(123)).at(-1)).to.equal(live)
  })

  it('loses nothing between two streams if no event had arrived in the first', async () => {
    const quiet = await stream()
    const place = quiet.lastEventId()
    await quiet.close()
    const { auditRecordId } = (await granted()).body
    const next = await stream(scene.shop.apiKey, '', place)
    expect(recordIds(await next.received(1))).to.deep.equal([auditRecordId])
  })

  it('keeps every event of a burst, in the order of the log', async () => {
    const seen = await stream()
    const answers = await Promise.all(Array.from({ length: 200 }, () => granted()))
    const events = await seen.received(200)
    expect(new Set(recordIds(events))).to.deep.equal(new Set(answers.map(({ body }) => body.auditRecordId)))
    const places = events.map(({ id }) => Number(id))
    expect(places).to.deep.equal([...places].sort((a, b) => a - b))
  })

  it('accepts the filters of the list', async () => {
    const other = await registerEndpoint(scene.baseUrl, scene.shop.apiKey)
    const byType = await stream(scene.shop.apiKey, '?eventType=verification.denied')
    const byEndpoint = await stream(scene.shop.apiKey, `?endpoint=${other}`)
    const byAgent = await stream(scene.shop.apiKey, `?agent=${agentId}`)
    await scene.verify({ counterpartyId: scene.svceId })
    const denied = (await granted({ resource: '/x' })).body.auditRecordId
    const elsewhere = (await granted({ counterpartyId: other })).body.auditRecordId
    expect(recordIds(await byAgent.received(2))).to.deep.equal([denied, elsewhere])
    expect(recordIds(await byType.received(1))).to.deep.equal([denied])
    expect(recordIds(await byEndpoint.received(1))).to.deep.equal([elsewhere])
  })

  it('shows no events of others', async () => {
    const stranger = await createOrganisation(scene.baseUrl)
    const strange = await registerEndpoint(scene.baseUrl, stranger.apiKey)
    const theirs = await stream(stranger.apiKey, '', '0')
    await granted()
    const { body } = await scene.verify({ counterpartyId: strange }, stranger)
    await waitUntil(async () => (recordIds(theirs.events).includes(body.auditRecordId) ? true : null))
    expect(theirs.text()).to.not.contain(agentId)
  })

  it('ends when the access token expires', async () => {
    const ben = await scene.owner()
    const login = { email: ben.email, password: 'correct horse battery' }
    const { data } = (await scene.call('POST', '/api/auth/login', { body: login })).body
    const seen = await stream(data.accessToken)
    const bensAgent = await ben.agent()
    await seen.received(1)
    scene.time.now += 15 * MINUTE_MS
    const before = seen.events.length
    await scene.verify(scene.asking(bensAgent, { transactionValue: 20 }))
    await seen.ended()
    expect(seen.events.length).to.equal(before)
    expect((await stream(data.accessToken)).status).to.equal(401)
  })

  it('ends when its API key is revoked, before showing another event', async () => {
    const keys = await scene.owner()
    const { id, key } = (await keys.call('POST', '/api/api-keys', { body: { name: 'feed' } })).body
    const seen = await stream(key)
    const own = await keys.agent()
    const before = (await seen.received(1)).length
    await keys.call('DELETE', `/api/api-keys/${id}`)
    await scene.verify(scene.asking(own, { transactionValue: 20 }))
    await seen.ended()
    expect(seen.events.length).to.equal(before)
  })

  it('is limited to five per credential, until one closes', async () => {
    const { key } = (await ada.call('POST', '/api/api-keys', { body: { name: 'many' } })).body
    const streams = []
    for (let nth = 0; nth < 5; nth += 1) streams.push(await stream(key))
    const refused = await scene.call('GET', PATH, { bearer: key })
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
    expect(refused.headers.get('retry-after')).to.equal('60')
    await streams[0]?.close()
    const again = async () => {
      const tried = await stream(key)
      return tried.status
    }
    let status = await again()
    for (let tries = 0; status !== 200 && tries < 100; tries += 1) status = await again()
    expect(status).to.equal(200)
  })

  it('rejects unknown cursors, filters and callers', async () => {
    const ask = async (query: string, headers: Record<string, string> = {}) => {
      const { status, body } = await scene.call('GET', PATH + query, { bearer: scene.shop.apiKey, headers })
      return [status, body.code]
    }
    expect(await ask('', { 'last-event-id': 'x' })).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(await ask('', { 'last-event-id': '-2' })).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(await ask('?since=yesterday')).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect(await ask('?endpoint=SVCE%00')).to.deep.equal([400, 'VALIDATION_ERROR'])
    expect((await scene.call('GET', PATH)).status).to.equal(401)
  })

  it('starts at the end of the log for a cursor beyond it', async () => {
    const seen = await stream(scene.shop.apiKey, '', '999999999999999')
    const { auditRecordId } = (await granted()).body
    expect(recordIds(await seen.received(1))).to.deep.equal([auditRecordId])
  })

  it('ends when the service stops, without delaying the stop', async () => {
    const own = await openOwnerScene()
    const seen = await openEventStream(own.baseUrl + PATH, { bearer: own.shop.apiKey })
    await seen.opened()
    await own.service.stop()
    await seen.ended()
  })
})
