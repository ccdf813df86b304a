import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type PushService, startPushService } from '../../../harness/peers/startPushService.ts'
import { type SilentHost, startSilentHost } from '../../../harness/peers/startSilentHost.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

describe('push services that do not respond', () => {
  let scene: OwnerScene
  let service: PushService
  let silent: SilentHost

  before(async () => {
    scene = await openOwnerScene()
  })
  beforeEach(async () => {
    service = await startPushService()
    silent = await startSilentHost()
  })
  afterEach(async () => {
    await Promise.all([service.stop(), silent.stop()])
    for (const table of ['push_messages', 'push_subscriptions']) await scene.store(`DELETE FROM ${table}`)
  })
  after(() => scene?.service.stop())

  const subscribe = async (by: Owner, endpoint: string) => {
    const body = { ...service.subscription(), endpoint }
    expect((await by.call('POST', '/api/push-subscriptions', { body })).status).to.equal(201)
  }
  /** Subscribes ten browsers of an owner, whose addresses are below the given URLs in turn. */
  const subscribeTen = async (owner: Owner, urls: readonly string[]) => {
    for (let nth = 0; nth < 10; nth += 1) await subscribe(owner, `${urls[nth % urls.length]}/${randomUUID()}`)
  }
  /** Waits until the silent service holds this many notifications. */
  const untilOpen = (count: number) => waitUntil(async () => (silent.count.open >= count ? true : null))
  const received = (path: string) =>
    waitUntil(async () => service.received.find((push) => push.path === path) ?? null)

  it('delay only the owner whose addresses they are, at whatever host', async () => {
    const others = await Promise.all(Array.from({ length: 9 }, startSilentHost))
    try {
      const slow = await scene.owner()
      const agent = await slow.agent({ name: 'Slow' })
      const urls = [silent, ...others].map(({ url }) => url)
      await subscribeTen(slow, urls)
      await scene.asked(agent)
      await scene.asked(agent)
      const open = () => [silent, ...others].reduce((sum, { count }) => sum + count.open, 0)
      const ended = () => [silent, ...others].reduce((sum, { count }) => sum + count.ended, 0)
      await waitUntil(async () => (open() === 4 ? true : null))
      // The newest ten stay, so those to which something is being sent are removed.
      await subscribeTen(slow, urls)
      await scene.asked(agent)
      const ada = await scene.owner()
      await subscribe(ada, `${service.url}/ada`)
      await scene.asked(await ada.agent({ name: 'Buyer' }))
      await received('/ada')
      expect([open(), ended()]).to.deep.equal([4, 0])
    } finally {
      await Promise.all(others.map(({ stop }) => stop()))
    }
  })

  it('delay only what goes to their host, whoever owns it', async () => {
    for (let nth = 0; nth < 3; nth += 1) {
      const slow = await scene.owner()
      await subscribeTen(slow, [silent.url])
      await scene.asked(await slow.agent({ name: 'Slow' }))
    }
    await untilOpen(8)
    const ada = await scene.owner()
    await subscribe(ada, `${silent.url}/ada`)
    await subscribe(ada, `${service.url}/ada`)
    await scene.asked(await ada.agent({ name: 'Buyer' }))
    await received('/ada')
    expect(silent.count).to.deep.equal({ open: 8, ended: 0 })
  })

  it('count for their host once something is sent to a browser that subscribed before hosts were stored', async () => {
    const ada = await scene.owner()
    await subscribe(ada, `${service.url}/ada`)
    const hosts = () => scene.store('SELECT host_hash FROM push_subscriptions')
    const before = await hosts()
    await scene.store('UPDATE push_subscriptions SET host_hash = NULL')
    await scene.asked(await ada.agent({ name: 'Buyer' }))
    await received('/ada')
    await waitUntil(async () =>
      (await scene.store('SELECT id FROM push_messages')).length === 0 ? true : null,
    )
    expect(await hosts()).to.deep.equal(before)
  })
})
