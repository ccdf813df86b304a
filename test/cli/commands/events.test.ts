import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { errorOf } from '../openSvc.ts'
import { openSvcScene, type SvcScene, type SvcUser } from '../openSvcScene.ts'

describe('svc events', function () {
  this.timeout(120_000)
  let scene: SvcScene
  let svc: SvcUser

  before(async () => {
    scene = await openSvcScene()
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    svc = scene.openUser()
    await svc.loginByKey()
  })
  afterEach(() => svc.remove())
  it('shows past events, oldest first, and those of a filter', async () => {
    await svc.run(['verify', '--endpoint', scene.svceId, '--purpose', 'read_data:list'])
    const shown = (await svc.run(['events', '--limit', '100'])).out.trimEnd().split('\n')
    expect(shown.length).to.be.greaterThan(1)
    const times = shown.map((line) => line.split(' ')[0])
    expect(times.toSorted()).to.deep.equal(times)
    const filtered = await svc.run(['events', '--json', '--type', 'endpoint.registered'])
    const types = filtered.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).eventType)
    expect(new Set(types)).to.deep.equal(new Set(['endpoint.registered']))
  })

  it('follows events until Ctrl+C, and exits with 0', async () => {
    const following = svc.start(['events', '--follow', '--json'])
    const seen = () => following.written.out.trimEnd().split('\n').filter(Boolean)
    await waitUntil(async () => {
      await svc.run(['verify', '--endpoint', scene.svceId, '--purpose', 'read_data:list'])
      return seen().length > 0 ? true : null
    })
    const [event = '{}'] = seen()
    expect(JSON.parse(event)).to.include.keys('eventType', 'occurredAt', 'eventData')
    expect((await following.stop()).code).to.equal(0)
  })

  it('continues after the last event of a lost connection', async () => {
    const asked: (string | undefined)[] = []
    const event = { occurredAt: 'now', eventType: 'a', agentId: null, endpointId: null, eventData: {} }
    const other = await listen((req, res) => {
      if (!req.url?.startsWith('/api/activity/stream')) return res.end('{"items":[],"nextCursor":null}')
      asked.push(req.headers['last-event-id'] as string | undefined)
      return res.end(`id: ${asked.length}\nevent: a\ndata: ${JSON.stringify(event)}\n\n`)
    })
    try {
      await svc.run(['login', '--url', other.url, '--key'], 'k')
      const following = svc.start(['events', '--follow'])
      await waitUntil(async () => (asked.length >= 2 ? true : null))
      await following.stop()
      expect(asked.slice(0, 2)).to.deep.equal([undefined, '1'])
    } finally {
      await other.stop()
    }
  })

  it('exits with 4 if the key has been revoked', async () => {
    const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
    writeFileSync(svc.credentialsFile, JSON.stringify({ ...stored, apiKey: 'svc_live_revoked' }))
    for (const args of [['events'], ['events', '--follow']]) expect((await svc.run(args)).code).to.equal(4)
  })

  it('exits with 5 if the service is unreachable', async () => {
    const gone = await listen((_, res) => res.end('{"items":[],"nextCursor":null}'))
    await svc.run(['login', '--url', gone.url, '--key'], 'k')
    await gone.stop()
    for (const args of [['events'], ['events', '--follow']]) {
      const run = await svc.run([...args, '--json'])
      expect(run.code).to.equal(5)
      expect(errorOf(run).code).to.equal('NETWORK_ERROR')
    }
  })
})
