import { expect } from 'chai'
import { importJWK, jwtVerify } from 'jose'
import { addPushSubscription } from '../../../../server/services/push/changePushSubscriptions.ts'
import { type PushService, startPushService } from '../../../harness/peers/startPushService.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { MINUTE_MS, type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const PATH = '/api/push-subscriptions'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

describe('browser notifications', () => {
  let scene: OwnerScene
  let service: PushService
  let ada: Owner
  let buyer: string

  before(async () => {
    scene = await openOwnerScene()
  })
  beforeEach(async () => {
    service = await startPushService()
    ada = await scene.owner()
    buyer = await ada.agent({ name: 'Buyer' })
  })
  afterEach(() => service.stop())
  after(() => scene?.service.stop())

  const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
  const subscribe = async (by: Owner, path?: string) =>
    by.call('POST', PATH, { body: service.subscription(path), headers: { 'User-Agent': FIREFOX } })
  const listed = async (by: Owner) => (await by.call('GET', PATH)).body
  const awaitNone = (sql: string) =>
    waitUntil(async () => ((await scene.store(sql)).length === 0 ? true : null))
  /** Waits until the push service has received this many notifications, and returns them. */
  const receive = (count: number) =>
    waitUntil(async () => (service.received.length >= count ? service.received : null))

  it('tell every browser of those who may decide that an approval is waiting, and nothing else', async () => {
    const [member, viewer] = [await scene.owner(), await scene.owner()]
    const roles = [
      [member, 'member'],
      [viewer, 'viewer'],
    ] as const
    const owned = await ada.agent({ name: 'Buyer' }, await ada.organizationWith(roles))
    await subscribe(ada, '/ada')
    await subscribe(ada, '/ada-at-work')
    await subscribe(member, '/member')
    await subscribe(viewer, '/viewer')
    const { approvalId } = await scene.asked(owned)
    const received = await receive(3)
    expect(received.map(({ path }) => path).sort()).to.deep.equal(['/ada', '/ada-at-work', '/member'])
    const path = `/activity/pending/${approvalId}`
    for (const { message, bytes } of received) {
      expect(message).to.deep.equal({ title: 'Buyer requests your approval', path })
      expect(bytes.toString('latin1')).to.not.contain('Buyer')
    }
  })

  it('are signed for the push service, urgent, and stored no longer than the approval lasts', async () => {
    await subscribe(ada)
    await scene.asked(buyer)
    const headers = (await receive(1))[0]?.headers ?? {}
    expect(headers).to.include({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    expect(Number(headers.ttl)).to.be.within(30 * 60 - 5, 30 * 60)
    const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization ?? '') ?? []
    const { publicKey } = await listed(ada)
    expect(key).to.equal(publicKey)
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, 'ES256')
    const { payload } = await jwtVerify(token, jwk, { audience: service.url })
    expect(payload.sub).to.match(/^(https:|mailto:)/)
  })

  it('stop for a browser that its push service no longer knows', async () => {
    for (const status of [404, 410]) {
      service.statuses.push(status)
      await subscribe(ada, `/gone-${status}`)
      await scene.asked(buyer)
      await waitUntil(async () => ((await listed(ada)).items.length === 0 ? true : null))
    }
    expect(service.received.length).to.equal(2)
  })

  it('are sent again after a failure, until the approval has expired', async () => {
    service.statuses.push(500, 503)
    await subscribe(ada)
    await scene.asked(buyer)
    await receive(1)
    await awaitNone('SELECT id FROM push_messages WHERE claimed_until IS NOT NULL')
    scene.time.now += 11_000
    await receive(2)
    await awaitNone('SELECT id FROM push_messages WHERE claimed_until IS NOT NULL')
    scene.time.now += 31 * MINUTE_MS
    await awaitNone('SELECT id FROM push_messages')
    expect(service.received.length).to.equal(2)
  })

  it('are given up for a browser whose address was sealed with a key that is lost, which stays subscribed', async () => {
    await subscribe(ada)
    await scene.store('UPDATE push_subscriptions SET sealed = ?', 'v1.lost.AAAA')
    await scene.asked(buyer)
    await awaitNone('SELECT id FROM push_messages')
    expect(service.received).to.have.lengthOf(0)
    expect((await listed(ada)).items).to.have.lengthOf(1)
  })

  it('about requests that prove nothing come together, at most once in ten minutes', async () => {
    await subscribe(ada)
    const ask = () => scene.verifyUnproven(scene.asking(buyer))
    const { approvalId } = (await ask()).body.stepUpApproval
    await receive(1)
    await awaitNone('SELECT id FROM push_messages')
    await ask()
    await ask()
    await awaitNone('SELECT id FROM step_up_approvals WHERE announced_at IS NULL')
    scene.time.now += 10 * MINUTE_MS
    const [first, second] = await receive(2)
    expect(first?.message).to.deep.include({ path: `/activity/pending/${approvalId}` })
    expect(second?.message).to.deep.include({ path: '/approvals' })
  })

  it('are listed by browser, without the address, and removed by their owner only', async () => {
    const { status, body } = await subscribe(ada, '/secret')
    expect([status, body.subscription.browser]).to.deep.equal([201, 'Firefox on Linux'])
    expect((await listed(ada)).items).to.deep.equal([body.subscription])
    const [stored] = await scene.store('SELECT * FROM push_subscriptions WHERE id = ?', body.subscription.id)
    expect(JSON.stringify([stored, await listed(ada)])).to.not.match(/127\.0\.0\.1|secret/)
    const own = `${PATH}/${body.subscription.id}`
    expect(outcome(await (await scene.owner()).call('DELETE', own))).to.deep.equal([404, 'NOT_FOUND'])
    expect((await ada.call('DELETE', own)).status).to.equal(200)
    expect(outcome(await ada.call('DELETE', own))).to.deep.equal([404, 'NOT_FOUND'])
    await scene.asked(buyer)
    const messages = await scene.store(
      'SELECT id FROM push_messages WHERE subscription_id = ?',
      body.subscription.id,
    )
    expect(messages).to.deep.equal([])
  })

  it('go to the account that subscribed last in a browser, and to ten browsers of an account', async () => {
    const eve = await scene.owner()
    await subscribe(ada, '/shared')
    await subscribe(eve, '/shared')
    expect([(await listed(ada)).items.length, (await listed(eve)).items.length]).to.deep.equal([0, 1])
    const ids: string[] = []
    for (let nth = 1; nth <= 11; nth += 1) {
      scene.time.now += 1
      ids.unshift((await subscribe(ada, `/${nth}`)).body.subscription.id)
    }
    const stored = (await listed(ada)).items.map(({ id }: { id: string }) => id)
    expect(stored).to.deep.equal(ids.slice(0, 10))
  })

  it('are refused for keys or addresses that no browser has', async () => {
    const browser = service.subscription()
    for (const [fields, pointer] of [
      [{ endpoint: 'ftp://push.test/1' }, '/endpoint'],
      [{ keys: { ...browser.keys, auth: 'short' } }, '/keys/auth'],
      [{ keys: { ...browser.keys, p256dh: `${browser.keys.p256dh}A` } }, '/keys/p256dh'],
    ] as const) {
      const { status, body } = await ada.call('POST', PATH, { body: { ...browser, ...fields } })
      expect([status, body.errors?.[0].pointer]).to.deep.equal([400, pointer])
    }
  })

  for (const endpoint of ['http://push.example.com/1', 'https://127.0.0.1/1', 'https://push.internal/1']) {
    it(`never go to ${endpoint} where private networks are not allowed`, async () => {
      const deps = { allowPrivateNetwork: false } as Parameters<typeof addPushSubscription>[0]
      const principal = {} as Parameters<typeof addPushSubscription>[1]['principal']
      const input = { ...service.subscription(), endpoint, browser: null, principal, now: 0 }
      const refused = await addPushSubscription(deps, input).catch((error: unknown) => error)
      expect(refused).to.deep.include({ code: 'VALIDATION_ERROR' })
    })
  }
})
