import { join } from 'node:path'
import { expect } from 'chai'
import { readSigningKey } from '../../../../server/external/keys/readSigningKey.ts'
import { createSendPush } from '../../../../server/external/outbound/sendPush.ts'
import { openCanary } from '../../../harness/peers/openCanary.ts'
import { startPushService } from '../../../harness/peers/startPushService.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

describe('sendPush', () => {
  const folder = createTemporaryFolder()
  const key = readSigningKey(join(folder.path, 'push-key.json'))
  after(() => folder.remove())

  const sendTo = async (endpoint: string, allowPrivate: boolean, p256dh?: string) => {
    const service = await startPushService()
    const { keys } = service.subscription()
    const subscription = { endpoint, keys: { ...keys, ...(p256dh ? { p256dh } : {}) } }
    const send = createSendPush({ allowPrivate, key, subject: 'mailto:operator@svc.test' })
    const message = { subscription, payload: '{}', ttlSeconds: 60, topic: 'a', now: Date.now() }
    try {
      return await send(message, new AbortController().signal)
    } finally {
      await service.stop()
    }
  }

  it('connects to no private address unless that is allowed', async () => {
    const canary = await openCanary()
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '[::ffff:127.0.0.1]']) {
      expect(await sendTo(`https://${host}:${canary.port}/1`, false)).to.equal('failed')
      expect(await sendTo(`http://${host}:${canary.port}/1`, false)).to.equal('failed')
    }
    expect(canary.contacts()).to.equal(0)
    expect(await sendTo(`http://127.0.0.1:${canary.port}/1`, true)).to.equal('sent')
    expect(canary.contacts()).to.equal(1)
    await canary.stop()
  })

  it('gives up a browser whose key is no point of the curve', async () => {
    const noPoint = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')
    expect(await sendTo('http://127.0.0.1:9/1', true, noPoint)).to.equal('gone')
  })
})
