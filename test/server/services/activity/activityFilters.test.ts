import { ACTIVITY_COLUMNS } from '@svc/core/contract/activityColumns.ts'
import { expect } from 'chai'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

type Item = {
  id: string
  eventType: string
  agentId: string | null
  purchaseId: string
  outcome: string | null
  purchaseOutcome?: string | null
  endpointName: string | null
  occurredAt: string
  eventData: Record<string, unknown>
}

describe('the activity, filtered', () => {
  let scene: OwnerScene
  let ada: Owner
  let agentId: string
  let otherAgent: string
  let held: { request: object; approvalId: string }
  let pending: { request: object; approvalId: string }
  let sessionId: string
  let times: { bought: number; end: number }

  const list = async (query = '', bearer = scene.shop.apiKey): Promise<Item[]> =>
    (await scene.call('GET', `/api/activity?limit=100&${query}`, { bearer })).body.items
  const own = async (query = ''): Promise<Item[]> =>
    (await ada.call('GET', `/api/activity?limit=100&${query}`)).body.items
  const idsOf = (items: Item[]) => items.map(({ id }) => id)
  const verifications = (items: Item[]) =>
    items.filter(({ eventType }) => eventType.startsWith('verification.'))
  const listExport = (query: string) =>
    fetch(`${scene.baseUrl}/api/activity/export?${query}`, {
      headers: { authorization: `Bearer ${scene.shop.apiKey}` },
    })

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    agentId = await ada.agent({ name: 'Careful Buyer' })
    otherAgent = await ada.agent({ name: 'Second Buyer' })
    held = await scene.asked(agentId, { createSession: true })
    await ada.approve(held.approvalId)
    scene.time.now += 2 * MINUTE_MS
    const granted = await scene.verify(held.request)
    expect(granted.body.recommendation).to.equal('grant')
    sessionId = granted.body.sessionId
    const decided = `/api/agents/verify-access/${sessionId}/decision`
    await scene.call('POST', decided, { bearer: scene.shop.apiKey, body: { decision: 'granted' } })
    pending = await scene.asked(agentId, { resource: '/orders/2' })
    scene.time.now += 2 * MINUTE_MS
    times = { bought: scene.time.now, end: 0 }
    const cheap = { transactionValue: 20, resource: '/orders/100%_sure' }
    expect((await scene.verify(scene.asking(otherAgent, cheap))).body.recommendation).to.equal('grant')
    scene.time.now += 2 * MINUTE_MS
    await scene.verify(scene.asking(otherAgent, { resource: '/=cmd', transactionValue: 1 }))
    await scene.verifyUnproven({
      counterpartyId: scene.svceId,
      callerMetadata: { sourceIp: '::ffff:192.0.2.7' },
    })
    await scene.verifyUnproven({ counterpartyUrl: 'https://seen.acme.io/cart?id=1' })
    times.end = scene.time.now
  })
  after(() => scene?.service.stop())

  it('finds the purchase of a session that began with an approval', async () => {
    const ofApproval = idsOf(await list(`purchase=${held.approvalId}`))
    expect(ofApproval).to.have.length(6)
    expect(idsOf(await list(`purchase=${sessionId}`))).to.deep.equal(ofApproval)
    expect(idsOf(await own(`purchase=${sessionId}`))).to.deep.equal(ofApproval)
  })

  it('links the events of a purchase, from the first request to the counterparty’s decision', async () => {
    for (const events of [
      await list(`purchase=${held.approvalId}&order=oldest`),
      await own(`purchase=${held.approvalId}&order=oldest`),
    ]) {
      expect(events.map(({ eventType }) => eventType)).to.deep.equal([
        'verification.step_up_required',
        'approval.requested',
        'approval.approved',
        'verification.completed',
        'approval.consumed',
        'counterparty.decided',
      ])
      expect(new Set(events.map(({ purchaseId }) => purchaseId))).to.deep.equal(new Set([held.approvalId]))
      expect(events.map(({ outcome }) => outcome)).to.deep.equal([
        'held',
        'held',
        null,
        'granted',
        null,
        null,
      ])
    }
  })

  it('lists one row a purchase with what it came to, at the place of its first event', async () => {
    const rows = await list('perPurchase=true')
    expect(new Set(rows.map(({ purchaseId }) => purchaseId)).size).to.equal(rows.length)
    const bought = rows.find(({ purchaseId }) => purchaseId === held.approvalId)
    expect(bought).to.include({ eventType: 'verification.step_up_required', purchaseOutcome: 'granted' })
    const waiting = rows.find(({ purchaseId }) => purchaseId === pending.approvalId)
    expect(waiting).to.include({ outcome: 'held', purchaseOutcome: 'held' })
    const everything = await list()
    expect(rows.length).to.be.below(everything.length)
    expect(everything[0]).to.not.have.property('purchaseOutcome')
    const first = everything.filter(({ id }) => rows.some((row) => row.id === id))
    expect(idsOf(rows)).to.deep.equal(idsOf(first))
  })

  it('lists the purchases with an event of a type, each with what it came to', async () => {
    const [row, ...others] = await list('perPurchase=true&eventType=approval.consumed')
    expect(row).to.include({ purchaseId: held.approvalId, purchaseOutcome: 'granted' })
    expect(others).to.deep.equal([])
  })

  it('filters by outcome, that of the event or of the purchase', async () => {
    expect((await list('outcome=held')).map(({ outcome }) => outcome)).to.deep.equal(Array(4).fill('held'))
    const rows = await list('outcome=held&perPurchase=true')
    expect(rows.map(({ purchaseId }) => purchaseId)).to.deep.equal([pending.approvalId])
    const granted = await list('outcome=granted&perPurchase=true')
    expect(granted.map(({ purchaseId }) => purchaseId)).to.include(held.approvalId)
    const denied = await list('outcome=denied')
    expect(denied.length).to.be.above(0)
    for (const { eventData } of denied) expect(eventData.recommendation).to.equal('deny')
  })

  it('filters by agent, endpoint, currency and amount', async () => {
    const ofOther = verifications(await list(`agent=${otherAgent}`))
    expect(ofOther).to.have.lengthOf(2)
    expect(verifications(await list(`endpoint=${scene.svceId}`)).length).to.be.above(4)
    const amounts = async (query: string) =>
      verifications(await list(query)).map(({ eventData }) => eventData.transactionValue)
    expect(await amounts('currency=USD&amountMin=20&amountMax=149.99')).to.deep.equal([20])
    expect(await amounts('currency=USD&amountMax=1')).to.deep.equal([1])
    expect(await amounts('currency=EUR&amountMax=1')).to.deep.equal([])
    expect(await amounts(`currency=USD&amountMin=20&agent=${agentId}`)).to.deep.equal([150, 150, 150])
  })

  it('filters by text, whatever its case, without wildcards', async () => {
    expect(verifications(await list('text=ORDERS/2'))).to.have.lengthOf(1)
    expect(verifications(await list('text=100%25_sure'))).to.have.lengthOf(1)
    expect(await list('text=100%25xsure')).to.deep.equal([])
    expect(verifications(await list(`text=${otherAgent}`))).to.have.lengthOf(2)
  })

  it('finds nothing by what the viewer may not see', async () => {
    expect(verifications(await own('text=careful buyer')).length).to.be.above(0)
    expect(await list('text=careful buyer')).to.deep.equal([])
    const [seen] = await list('ip=192.0.2.7')
    expect(seen?.eventData.caller).to.include({ sourceIp: '::ffff:192.0.2.7' })
    expect(await list('ip=192.0.2.8')).to.deep.equal([])
    const withCaller = {
      ...scene.asking(agentId, { transactionValue: 2 }),
      callerMetadata: { sourceIp: '192.0.2.9' },
    }
    await scene.verify(withCaller)
    expect(await list('ip=192.0.2.9')).to.deep.equal([])
    expect(await own('ip=192.0.2.9')).to.deep.equal([])
  })

  it('filters by time and lists oldest first, page by page', async () => {
    const since = new Date(times.bought).toISOString()
    const until = new Date(times.bought + MINUTE_MS).toISOString()
    expect((await list(`since=${since}&until=${until}`)).map(({ agentId: id }) => id)).to.deep.equal([
      otherAgent,
    ])
    const all = await list()
    const seen: string[] = []
    let cursor = ''
    do {
      const path = `/api/activity?limit=3&order=oldest${cursor && `&cursor=${cursor}`}`
      const { body } = await scene.call('GET', path, { bearer: scene.shop.apiKey })
      seen.push(...idsOf(body.items))
      cursor = body.nextCursor
    } while (cursor)
    expect(seen.toReversed()).to.deep.equal(idsOf(all))
  })

  it('refuses what is no filter, naming each field', async () => {
    const pointersOf = async (query: string) => {
      const { status, body } = await scene.call('GET', `/api/activity?${query}`, {
        bearer: scene.shop.apiKey,
      })
      expect(status).to.equal(400)
      return body.errors.map(({ pointer }: { pointer: string }) => pointer)
    }
    expect(await pointersOf('outcome=Granted')).to.deep.equal(['/outcome'])
    expect(await pointersOf('ip=example.com&text=%00')).to.have.members(['/ip', '/text'])
    expect(await pointersOf('amountMin=1')).to.deep.equal(['/currency'])
    expect(await pointersOf('amountMin=2&amountMax=1&currency=EUR')).to.deep.equal(['/amountMin'])
    expect(await pointersOf('amountMin=1e3&currency=%E2%82%AC')).to.have.members(['/amountMin', '/currency'])
    expect(await pointersOf('order=amount')).to.deep.equal(['/order'])
    expect(await pointersOf('perPurchase=1')).to.deep.equal(['/perPurchase'])
  })

  it('shows an endpoint under one name, although it was discovered before it was named', async () => {
    const [seen] = await list('text=seen.acme.io')
    const { accessToken: bearer, organizationId } = scene.shop
    const { items } = (await scene.call('GET', '/api/endpoints?only=claimable', { bearer })).body
    const path = `/api/endpoints/${items[0].id}`
    expect(items[0].counterpartyUrl).to.contain('seen.acme.io')
    expect((await scene.call('POST', `${path}/claim`, { bearer, body: { organizationId } })).status).to.equal(
      200,
    )
    const body = { name: 'The seen shop' }
    expect((await scene.call('PUT', path, { bearer, body })).status).to.equal(200)
    await scene.verifyUnproven({ counterpartyUrl: 'https://seen.acme.io/other' })
    const names = (await list(`endpoint=${items[0].id}`)).map(({ endpointName }) => endpointName)
    expect(names.length).to.be.above(1)
    expect(new Set(names)).to.deep.equal(new Set([body.name]))
    expect(names[0]).to.not.equal(seen?.endpointName)
  })

  it('exports as JSON Lines what the list shows', async () => {
    const query = `outcome=granted&perPurchase=true&order=oldest`
    const answer = await listExport(query)
    expect(answer.headers.get('content-type')).to.equal('application/jsonl; charset=utf-8')
    expect(answer.headers.get('content-disposition')).to.equal('attachment; filename="activity.jsonl"')
    const lines = (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).to.deep.equal(await list(query))
  })

  it('exports as CSV the columns that are shown, and runs no formula', async () => {
    const query = `agent=${otherAgent}&eventType=verification.completed&format=csv&columns=outcome,resource,amount`
    const answer = await listExport(query)
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present')
    expect(await answer.text()).to.equal(
      'outcome,resource,amount,currency\r\ngranted,/orders/100%_sure,20,USD\r\n',
    )
    const [header = ''] = (await (await listExport('format=csv')).text()).split('\r\n')
    for (const column of ACTIVITY_COLUMNS) expect(header.split(',')).to.include(column)
    expect((await listExport('format=csv&columns=outcome,secret')).status).to.equal(400)
    expect((await listExport('format=xlsx')).status).to.equal(400)
  })
})
