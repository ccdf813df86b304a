import { expect } from 'chai'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { openReceiver, openWebhooks } from './openWebhooks.ts'

type Webhooks = Awaited<ReturnType<typeof openWebhooks>>
type Receiver = Awaited<ReturnType<typeof openReceiver>>

const SECOND = 1_000
const HOUR = 3_600_000
/** Spec: Webhooks: now, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
const PAUSES = [5 * SECOND, 300 * SECOND, 1_800 * SECOND, ...[2, 5, 10, 14, 20, 24].map((h) => h * HOUR)]

describe('the outbox of webhooks', () => {
  let webhooks: Webhooks
  let receiver: Receiver
  let url: string

  before(async () => {
    receiver = await openReceiver()
  })
  after(() => receiver.stop())
  beforeEach(async () => {
    webhooks = await openWebhooks()
    receiver.received.length = 0
    Object.assign(receiver.mood, { status: 200, headers: {}, hangs: false })
    url = `${receiver.url}/hook`
  })
  afterEach(async () => {
    const { failures } = webhooks
    await webhooks.close()
    expect(failures).to.deep.equal([])
  })

  const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])
  const queueAll = async () => {
    while ((await webhooks.enqueue()) > 0);
  }

  describe('queueing', () => {
    it('queues each event of the endpoint once, in order, however often and by whichever process it runs', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop, 30)
      await Promise.all([webhooks.enqueue(), webhooks.newEnqueue()(), webhooks.newEnqueue()()])
      await queueAll()
      await webhooks.newEnqueue()()
      await webhooks.sendAll()
      const events = await webhooks.db.query('audit_records').select('record_id').orderBy('seq')
      expect(idsReceived().sort()).to.deep.equal(events.map((row) => row.record_id).sort())
    })

    it('queues no event from before the webhook, of others, of an archived endpoint, nor of another kind', async () => {
      const other = await webhooks.hooked(`${receiver.url}/other`)
      const early = await webhooks.hooked(url)
      await webhooks.db.transaction(async (trx) => {
        await webhooks.deps.stores.webhooks.remove(trx, early.id)
      })
      await webhooks.record(early, 2)
      await webhooks.db.transaction((trx) => webhooks.deps.stores.webhooks.set(trx, early.id, url))
      await webhooks.record(early, 1, 'endpoint.updated')
      await webhooks.record({ ...early, ownerId: 'SVCD-00000000000000000000AA' }, 1)
      await queueAll()
      expect(await webhooks.log(early.id)).to.have.length(0)
      expect(await webhooks.log(other.id)).to.have.length(0)
      await webhooks.db.transaction((trx) =>
        webhooks.deps.stores.endpoints.update(trx, early.id, { status: 'archived' }),
      )
      await webhooks.record(early, 1)
      await queueAll()
      expect(await webhooks.log(early.id)).to.have.length(0)
    })

    it('continues after long stretches without events for webhooks', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record({ id: 'nobody', ownerId: 'nobody' }, 1_100)
      await webhooks.record(shop, 1)
      await queueAll()
      expect(await webhooks.log(shop.id)).to.have.length(1)
    })
  })

  describe('attempts', () => {
    it('follow the schedule of ten, with the same id and bytes, and then end', async () => {
      receiver.mood.status = 500
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.sendAll()
      for (const [nth, pause] of PAUSES.entries()) {
        expect(receiver.received).to.have.length(nth + 1)
        webhooks.time.now += pause - 1
        await webhooks.sendAll()
        expect(receiver.received, 'too early').to.have.length(nth + 1)
        webhooks.time.now += 1
        await webhooks.sendAll()
      }
      expect(receiver.received).to.have.length(10)
      webhooks.time.now += 48 * HOUR
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(10)
      expect(new Set(idsReceived()).size).to.equal(1)
      expect(new Set(receiver.received.map(({ body }) => body)).size).to.equal(1)
      const [delivery] = await webhooks.log(shop.id)
      expect(delivery).to.include({ status: 'failed', attempts: 10, lastStatus: 500 })
      expect(delivery).to.include({ lastError: 'unexpected_status' })
    })

    it('wait while the owner is suspended, and follow the schedule afterwards', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.suspend(shop.ownerId)
      for (let hour = 0; hour < 3; hour += 1) {
        await webhooks.sendAll()
        webhooks.time.now += HOUR
      }
      expect(receiver.received).to.have.length(0)
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'pending', attempts: 0 })
      await webhooks.resume(shop.ownerId)
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(1)
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'delivered', attempts: 1 })
    })

    it('are given up if the owner is suspended for longer than they would have been retried', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.suspend(shop.ownerId)
      webhooks.time.now += PAUSES.reduce((sum, pause) => sum + pause, 0)
      await webhooks.sendAll()
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'pending' })
      webhooks.time.now += HOUR
      await webhooks.sendAll()
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'cancelled' })
      await webhooks.resume(shop.ownerId)
      webhooks.time.now += 48 * HOUR
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(0)
    })

    it('end with the first success', async () => {
      receiver.mood.status = 503
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.sendAll()
      receiver.mood.status = 204
      webhooks.time.now += 5 * SECOND
      await webhooks.sendAll()
      webhooks.time.now += 24 * HOUR
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(2)
      expect((await webhooks.log(shop.id))[0]).to.include({
        status: 'delivered',
        lastError: null,
        attempts: 2,
      })
    })

    it('treat a redirect as a failure and do not follow it', async () => {
      Object.assign(receiver.mood, { status: 307, headers: { location: `${receiver.url}/elsewhere` } })
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.sendAll()
      expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/hook'])
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'pending', lastError: 'redirected' })
    })

    it('disable the webhook at 410, cancel pending deliveries and alert the owner once', async () => {
      receiver.mood.status = 410
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop, 20)
      await queueAll()
      await webhooks.sendAll()
      expect(receiver.received.length).to.be.within(1, 8)
      const statuses = new Set((await webhooks.log(shop.id)).map(({ status }) => status))
      expect([...statuses].sort()).to.deep.equal(['cancelled', 'failed'])
      await webhooks.record(shop, 1)
      await queueAll()
      expect(await webhooks.log(shop.id)).to.have.length(20)
      const alerts = await webhooks.db.query('alerts').select('owner_id', 'code')
      expect(alerts).to.deep.equal([{ owner_id: shop.ownerId, code: 'endpoint.webhook_disabled' }])
    })

    it('interrupted by a dying process are repeated once its claim has expired', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      const { now } = webhooks.time
      await webhooks.db.transaction((trx) =>
        webhooks.deps.stores.deliveries.claim(trx, {
          ...{ host: new URL(url).host, now, until: now + 30 * SECOND, limit: 1 },
        }),
      )
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(0)
      webhooks.time.now += 30 * SECOND
      await webhooks.sendAll()
      expect(receiver.received).to.have.length(1)
    })

    it('interrupted by a graceful stop do not count', async () => {
      receiver.mood.hangs = true
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop)
      await queueAll()
      const other = webhooks.newDispatcher()
      expect(await other.round()).to.equal(1)
      await waitUntil(async () => (receiver.received.length > 0 ? true : null))
      await other.stop()
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'pending', attempts: 0 })
      expect(await other.round()).to.equal(0)
      receiver.mood.hangs = false
      await webhooks.sendAll()
      expect((await webhooks.log(shop.id))[0]).to.include({ status: 'delivered', attempts: 1 })
    })

    it('reach no private address, not even through a public name', async () => {
      const guarded = await openWebhooks({ allowPrivate: false })
      try {
        const { port } = receiver
        for (const target of [`https://127.0.0.1:${port}/`, `https://localhost:${port}/`, `${url}`]) {
          const shop = await guarded.hooked(target)
          await guarded.record(shop)
          while ((await guarded.enqueue()) > 0);
          await guarded.sendAll()
          expect((await guarded.log(shop.id))[0]).to.include({
            lastError: 'address_refused',
            lastStatus: null,
          })
        }
        expect(receiver.received).to.have.length(0)
      } finally {
        await guarded.close()
      }
    })

    it('reveal nothing more about an unreachable receiver', async () => {
      const gone = await openReceiver()
      await gone.stop()
      const shop = await webhooks.hooked(`${gone.url}/hook`)
      await webhooks.record(shop)
      await queueAll()
      await webhooks.sendAll()
      expect((await webhooks.log(shop.id))[0]).to.include({
        lastError: 'connection_failed',
        lastStatus: null,
      })
    })
  })

  describe('concurrency', () => {
    it('a receiver that does not respond blocks eight of its own events and none of others', async () => {
      const slow = await openReceiver()
      slow.mood.hangs = true
      const stuck = await webhooks.hooked(`${slow.url}/hook`)
      const shop = await webhooks.hooked(url)
      await webhooks.record(stuck, 20)
      await webhooks.record(shop, 20)
      await queueAll()
      while ((await webhooks.dispatcher.round()) > 0);
      await waitUntil(async () => {
        await webhooks.dispatcher.round()
        return receiver.received.length === 20 ? true : null
      })
      await waitUntil(async () => (slow.received.length === 8 ? true : null))
      await webhooks.dispatcher.stop()
      await slow.stop()
      expect(slow.received).to.have.length(8)
    })

    it('two processes with the same outbox make each attempt once', async () => {
      const shop = await webhooks.hooked(url)
      await webhooks.record(shop, 40)
      await queueAll()
      const both = [webhooks.newDispatcher(), webhooks.newDispatcher()]
      await waitUntil(async () => {
        await Promise.all(both.map((each) => each.round()))
        return receiver.received.length >= 40 ? true : null
      })
      await Promise.all(both.map((each) => each.idle()))
      expect(new Set(idsReceived()).size).to.equal(40)
      expect(receiver.received).to.have.length(40)
    })
  })
})
