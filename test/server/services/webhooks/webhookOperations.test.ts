import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { registerAgent } from '../../../builders/participants.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { containsValue } from '../../../harness/values/containsValue.ts'
import { type HookedShop, openHookedShop } from './openHookedShop.ts'

const DAY_MS = 86_400_000

type NewEndpoint = Awaited<ReturnType<HookedShop['newEndpoint']>>

describe('the webhook of an endpoint', () => {
  let scene: HookedShop
  let service: HookedShop['service']
  let time: HookedShop['time']
  let shop: HookedShop['shop']
  let stranger: HookedShop['stranger']
  let receiver: HookedShop['receiver']
  let arrived: HookedShop['arrived']
  let verifiers: HookedShop['verifiers']
  let svceId: NewEndpoint['svceId']
  let secret: NewEndpoint['secret']
  let call: NewEndpoint['call']
  let set: NewEndpoint['set']
  let verify: NewEndpoint['verify']
  let deliveries: NewEndpoint['deliveries']
  let settled: NewEndpoint['settled']

  before(async () => {
    scene = await openHookedShop()
    ;({ service, time, shop, stranger, receiver, arrived, verifiers } = scene)
  })
  after(() => scene?.close())
  beforeEach(async () => {
    ;({ svceId, secret, call, set, verify, deliveries, settled } = await scene.newEndpoint())
  })

  const errorOf = async (answer: ReturnType<typeof call>) => {
    const { status, body } = await answer
    return [status, body.code]
  }

  it('receives each outcome once, with a signature that third-party verifiers accept', async () => {
    expect((await set()).body.webhook).to.include({ url: `${receiver.url}/hook`, status: 'active' })
    const { auditRecordId } = (await verify()).body
    const received = await arrived()
    const event = JSON.parse(received.body)
    expect(event).to.include({ id: auditRecordId, type: 'verification.unverified_deny' })
    expect(event.data).to.include({ auditRecordId, endpointId: svceId, callerCategory: 'ungoverned' })
    expect(new Date(event.timestamp).toISOString()).to.equal(event.timestamp)
    expect(received.headers).to.include({ 'webhook-id': auditRecordId, 'content-type': 'application/json' })
    expect(verifiers.stripe(received, secret)).to.include({ id: auditRecordId })
    expect(verifiers.standard(received, secret)).to.include({ id: auditRecordId })
    const timestamp = String(received.headers['x-svc-timestamp'])
    const mac = createHmac('sha256', secret).update(`${timestamp}.${received.body}`).digest('hex')
    expect(received.headers['x-svc-signature']).to.equal(`t=${timestamp},v1=${mac}`)
    expect(await settled()).to.include({ status: 'delivered', attempts: 1, lastStatus: 200, lastError: null })
    expect(receiver.received).to.have.length(1)
  })

  it('is rejected by those verifiers with another secret or a changed body', async () => {
    await set()
    await verify()
    const received = await arrived()
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const forged = { ...received, body: received.body.replace('deny', 'allow') }
    for (const check of [verifiers.stripe, verifiers.standard]) {
      expect(() => check(received, other)).to.throw()
      expect(() => check(forged, secret)).to.throw()
    }
  })

  it('reveals no more of an agent than its owner shows the endpoint’s owner', async () => {
    const { svcId } = await registerAgent(service.baseUrl, {
      name: 'Canary agent 4711',
      pdlss: { limits: { autonomousThreshold: 987_651, currency: 'USD' } },
    })
    await set()
    await verify({ agentId: svcId })
    const { body } = await arrived()
    const event = JSON.parse(body)
    expect(event).to.have.property('type', 'verification.completed')
    expect(event.data).to.include({ agentId: svcId, callerCategory: 'externally_governed' })
    for (const canary of ['Canary', '987651', 'SVCD-', 'ownerId'])
      expect(containsValue(body, canary), canary).to.equal(false)
  })

  it('is signed with both secrets for a day after a rotation, then only with the new one', async () => {
    try {
      await set()
      const rotated = (await call('POST', '/rotate-secret')).body
      expect(rotated.webhookSecret)
        .to.match(/^whsec_/)
        .and.not.to.equal(secret)
      expect(Date.parse(rotated.previousSecretUntil) - Date.now() - time.aheadMs).to.be.closeTo(
        DAY_MS,
        60_000,
      )
      await verify()
      const during = await arrived()
      expect(String(during.headers['x-svc-signature']).match(/v1=/g)).to.have.length(2)
      for (const key of [secret, rotated.webhookSecret]) {
        verifiers.stripe(during, key)
        verifiers.standard(during, key)
      }
      const shown = (await call('GET', '/webhook')).body.webhook
      expect(shown.secret).to.equal(`whsec_****${rotated.webhookSecret.slice(-4)}`)
      expect(shown.previousSecretUntil).to.equal(rotated.previousSecretUntil)
      time.aheadMs += DAY_MS + 1_000
      await verify()
      const after = await arrived(2)
      verifiers.stripe(after, rotated.webhookSecret)
      expect(() => verifiers.stripe(after, secret)).to.throw()
      expect((await call('GET', '/webhook')).body.webhook.previousSecretUntil).to.equal(null)
    } finally {
      time.aheadMs = 0
    }
  })

  it('shows a rotated secret once and in no later response', async () => {
    const { webhookSecret } = (await call('POST', '/rotate-secret')).body
    for (const sub of ['', '/webhook']) {
      expect(JSON.stringify((await call('GET', sub)).body)).not.to.contain(webhookSecret)
    }
  })

  it('can be tested, with a single probe', async () => {
    await set()
    const tested = (await call('POST', '/test-webhook')).body
    expect(tested).to.include({ success: true, delivered: true })
    expect(tested.delivery).to.include({ eventType: 'webhook.test', status: 'delivered', lastStatus: 200 })
    const received = await arrived()
    expect(received.headers['user-agent']).to.match(/^Svc-Probe\//)
    expect(verifiers.standard(received, secret)).to.include({ type: 'webhook.test' })
    receiver.mood.status = 500
    const failed = (await call('POST', '/test-webhook')).body
    expect(failed).to.have.property('delivered', false)
    expect(failed.delivery).to.include({ status: 'failed', attempts: 1, lastError: 'unexpected_status' })
  })

  it('receives an event again on request under the same id, even a delivered one', async () => {
    await set()
    await verify()
    const first = await arrived()
    const delivery = await settled()
    const again = await call('POST', `/webhook/deliveries/${delivery.id}/redeliver`)
    expect(again.status).to.equal(201)
    expect(again.body.delivery).to.include({ redeliveryOf: delivery.id, eventId: delivery.eventId })
    const second = await arrived(2)
    expect(second.body).to.equal(first.body)
    expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id'])
    expect(await settled()).to.include({ id: again.body.delivery.id, status: 'delivered' })
  })

  it('receives nothing after its deletion, and pending deliveries are cancelled', async () => {
    receiver.mood.status = 500
    await set()
    await verify()
    await waitUntil(async () => ((await deliveries())[0]?.attempts === 1 ? true : null))
    expect((await call('DELETE', '/webhook')).body.webhook).to.include({ url: null, status: 'none' })
    expect((await deliveries())[0]).to.include({ status: 'cancelled' })
    expect(await errorOf(call('DELETE', '/webhook'))).to.deep.equal([404, 'NOT_FOUND'])
    expect(await errorOf(call('POST', '/test-webhook'))).to.deep.equal([409, 'INVALID_STATE'])
  })

  it('is disabled when the receiver is gone, which alerts the owner, until it is set again', async () => {
    receiver.mood.status = 410
    await set()
    await verify()
    await waitUntil(async () =>
      (await call('GET', '/webhook')).body.webhook.status === 'disabled' ? true : null,
    )
    const alerts = await api(service.baseUrl, 'GET', '/api/alerts', { bearer: shop.accessToken })
    const mine = alerts.body.items.filter((item: { data: object }) =>
      JSON.stringify(item.data).includes(svceId),
    )
    expect(mine[0]).to.include({ code: 'endpoint.webhook_disabled', severity: 'warning' })
    expect(await errorOf(call('POST', '/test-webhook'))).to.deep.equal([409, 'INVALID_STATE'])
    const [delivery] = await deliveries()
    const path = `/webhook/deliveries/${delivery.id}/redeliver`
    expect(await errorOf(call('POST', path))).to.deep.equal([409, 'INVALID_STATE'])
    expect((await set()).body.webhook).to.include({ status: 'active', disabledAt: null })
  })

  it('lists its deliveries in pages, newest first', async () => {
    await set()
    for (let nth = 0; nth < 3; nth += 1) await call('POST', '/test-webhook')
    const all = (await call('GET', '/webhook/deliveries')).body.items
    const first = (await call('GET', '/webhook/deliveries?limit=2')).body
    const rest = (await call('GET', `/webhook/deliveries?limit=2&cursor=${first.nextCursor}`)).body
    expect([...first.items, ...rest.items]).to.deep.equal(all)
    expect(rest).to.include({ hasMore: false, nextCursor: null })
    expect(await errorOf(call('GET', '/webhook/deliveries?limit=0'))).to.deep.equal([400, 'VALIDATION_ERROR'])
  })

  it('records each change in the activity of its owner', async () => {
    await set()
    await call('POST', '/rotate-secret')
    await call('DELETE', '/webhook')
    const path = `/api/activity?endpoint=${svceId}`
    const { status, body } = await api(service.baseUrl, 'GET', path, { bearer: shop.apiKey })
    expect(status, JSON.stringify(body)).to.equal(200)
    const types = body.items.map((item: { eventType: string }) => item.eventType)
    expect(types.slice(0, 3)).to.deep.equal([
      'endpoint.webhook_removed',
      'endpoint.secret_rotated',
      'endpoint.webhook_set',
    ])
  })

  describe('refuses', () => {
    const TABLE: [method: string, sub: string, body?: unknown][] = [
      ['GET', '/webhook'],
      ['POST', '/webhook', { url: 'https://hooks.acme.io/' }],
      ['DELETE', '/webhook'],
      ['POST', '/rotate-secret'],
      ['POST', '/test-webhook'],
      ['GET', '/webhook/deliveries'],
      ['POST', '/webhook/deliveries/x/redeliver'],
    ]
    for (const [method, sub, body] of TABLE) {
      it(`a stranger at ${method} ${sub}, as if there were no webhook`, async () => {
        expect(await errorOf(call(method, sub, body, stranger.apiKey))).to.deep.equal([404, 'NOT_FOUND'])
      })
    }

    it('an invalid URL', async () => {
      const urls = ['ftp://acme.io/', 'acme.io', 'https://user:pass@acme.io/', 'https://acme.io/#part', '', 5]
      for (const url of urls) {
        const refused = await errorOf(call('POST', '/webhook', { url }))
        expect(refused, String(url)).to.deep.equal([400, 'VALIDATION_ERROR'])
      }
    })

    it('an unknown delivery, and one in progress', async () => {
      await set()
      expect(await errorOf(call('POST', '/webhook/deliveries/none/redeliver'))).to.deep.equal([
        404,
        'NOT_FOUND',
      ])
      receiver.mood.status = 500
      await verify()
      const [delivery] = await waitUntil(async () => {
        const found = await deliveries()
        return found.length > 0 ? found : null
      })
      const again = call('POST', `/webhook/deliveries/${delivery.id}/redeliver`)
      expect(await errorOf(again)).to.deep.equal([409, 'INVALID_STATE'])
    })

    it('sending for an archived endpoint, immediately', async () => {
      await set()
      await verify()
      const delivered = await settled()
      for (const step of ['deactivate', 'archive']) {
        expect((await call('POST', `/${step}`, undefined, shop.accessToken)).status).to.equal(200)
      }
      expect((await call('GET', '/webhook')).body.webhook.status).to.equal('archived')
      for (const sub of ['/test-webhook', `/webhook/deliveries/${delivered.id}/redeliver`]) {
        expect(await errorOf(call('POST', sub)), sub).to.deep.equal([409, 'INVALID_STATE'])
      }
      expect(await deliveries()).to.have.length(1)
    })

    it('a webhook for an unclaimed endpoint', async () => {
      const host = `found${Date.now()}.io`
      const url = `https://${host}/`
      const body = { counterpartyUrl: url }
      await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
      const [row] = await service.rows<{ id: string }>('SELECT id FROM endpoints WHERE host = ?', host)
      const unclaimed = scene.at(row?.id ?? '')
      expect(await errorOf(unclaimed.set())).to.deep.equal([409, 'INVALID_STATE'])
      expect(await errorOf(unclaimed.call('POST', '/rotate-secret'))).to.deep.equal([409, 'INVALID_STATE'])
    })
  })
})
