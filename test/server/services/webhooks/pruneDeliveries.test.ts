import { expect } from 'chai'
import { pruneDeliveries } from '../../../../server/services/webhooks/pruneDeliveries.ts'
import { openReceiver, openWebhooks } from './openWebhooks.ts'

const DAY_MS = 86_400_000

describe('pruneDeliveries', () => {
  let webhooks: Awaited<ReturnType<typeof openWebhooks>>
  let receiver: Awaited<ReturnType<typeof openReceiver>>

  before(async () => {
    receiver = await openReceiver()
    webhooks = await openWebhooks()
  })
  after(async () => {
    await webhooks.close()
    await receiver.stop()
  })

  it('deletes deliveries thirty days after they ended, and no pending ones', async () => {
    const shop = await webhooks.hooked(`${receiver.url}/hook`)
    const deliver = async () => {
      await webhooks.record(shop)
      while ((await webhooks.enqueue()) > 0);
      await webhooks.sendAll()
    }
    await deliver()
    receiver.mood.status = 500
    await deliver()
    webhooks.time.now += 30 * DAY_MS
    expect(await pruneDeliveries(webhooks.deps)).to.equal(0)
    webhooks.time.now += 1
    expect(await pruneDeliveries(webhooks.deps)).to.equal(1)
    expect((await webhooks.log(shop.id)).map(({ status }) => status)).to.deep.equal(['pending'])
  })
})
