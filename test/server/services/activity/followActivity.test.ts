import { expect } from 'chai'
import type { RepeatableCall, WaitingCall } from '../../../../server/middleware/call.ts'
import { getActivityStream } from '../../../../server/routes/activity/activity.ts'
import { createActivityFeed } from '../../../../server/services/activity/createActivityFeed.ts'
import { createFollower } from '../../../../server/services/activity/createFollower.ts'
import { createTurns } from '../../../../server/services/activity/createTurns.ts'
import { followActivity, type StreamItem } from '../../../../server/services/activity/followActivity.ts'
import type { Principal } from '../../../../server/services/principal.ts'
import { createAuditRecordStore } from '../../../../server/store/audit/auditRecordStore.ts'
import { createEndpointStore } from '../../../../server/store/endpoints/endpointStore.ts'
import { createActivityStore } from '../../../../server/store/feed/activityStore.ts'
import { buildKeyPrincipal } from '../../../builders/buildKeyPrincipal.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const OWNER = 'SVCD-0000000000000000000001'
const PRINCIPAL = buildKeyPrincipal(OWNER)

describe('following the activity feed', () => {
  let database: TemporaryDatabase
  before(async () => {
    database = await openTemporaryDatabase()
  })
  after(() => database.remove())

  const newFeed = (onFailure: (error: unknown) => void = () => undefined) =>
    createActivityFeed({
      activity: createActivityStore(database.db.query),
      onFailure,
      limits: { perCaller: 2, all: 3 },
    })
  const depsOf = (feed: ReturnType<typeof newFeed>) => ({
    activity: createActivityStore(database.db.query),
    endpoints: createEndpointStore(database.db.query),
    records: createAuditRecordStore(database.db.query),
    feed,
    catchUp: async () => 0,
    turn: createTurns(),
    heartbeatMs: 5,
  })
  const follow = (
    feed: ReturnType<typeof newFeed>,
    refresh = async (): Promise<Principal | null> => PRINCIPAL,
  ) =>
    followActivity(depsOf(feed), { principal: PRINCIPAL, holder: 'key', filter: {}, afterSeq: null, refresh })

  it('sends heartbeats while nothing happens, and ends with its signal', async () => {
    const gone = new AbortController()
    const kinds: StreamItem['kind'][] = []
    for await (const item of (await follow(newFeed()))(gone.signal)) {
      kinds.push(item.kind)
      if (kinds.length === 4) gone.abort()
    }
    expect(kinds).to.deep.equal(['place', 'heartbeat', 'heartbeat', 'heartbeat'])
  })

  it('ends at the next heartbeat after its credential ends', async () => {
    let looks = 0
    const refresh = async () => {
      looks += 1
      return looks > 3 ? null : PRINCIPAL
    }
    const kinds: StreamItem['kind'][] = []
    for await (const item of (await follow(newFeed(), refresh))(new AbortController().signal)) {
      kinds.push(item.kind)
    }
    expect(kinds).to.deep.equal(['place', 'heartbeat', 'heartbeat'])
  })

  it('frees its slot however it ends', async () => {
    const feed = newFeed()
    const gone = AbortSignal.abort()
    for (let nth = 0; nth < 10; nth += 1) {
      const items = []
      for await (const item of (await follow(feed))(gone)) items.push(item)
      for await (const _ of (await follow(feed))(new AbortController().signal)) break
    }
    expect(() => feed.follow('key', new Set())).to.not.throw()
  })

  it('frees the slot of a reader that reads only one chunk', async () => {
    let places = 0
    const feed = newFeed()
    const counted: typeof feed = {
      ...feed,
      follow(...asked) {
        places += 1
        return feed.follow(...asked)
      },
      leave(follower) {
        places -= 1
        feed.leave(follower)
      },
    }
    const activity = { ...depsOf(counted), catchUp: async () => 2 }
    const call = { principal: PRINCIPAL, query: new URLSearchParams(), header: () => undefined }
    const answer = await getActivityStream.handle({ activity })(
      call as unknown as RepeatableCall & WaitingCall,
    )
    const parts = []
    for await (const part of answer.stream?.chunks(AbortSignal.abort()) ?? []) {
      parts.push(part)
      break
    }
    expect({ parts, places }).to.deep.equal({ parts: ['retry: 3000\n\nid: 1\n\n'], places: 0 })
  })

  it('is limited per credential and in total', () => {
    const feed = newFeed()
    feed.follow('a', new Set())
    feed.follow('a', new Set())
    expect(() => feed.follow('a', new Set()))
      .to.throw()
      .with.property('code', 'RATE_LIMITED')
    feed.follow('b', new Set())
    expect(() => feed.follow('c', new Set()))
      .to.throw()
      .with.property('code', 'SERVICE_UNAVAILABLE')
  })

  it('wakes all readers if it cannot determine which parties have news', async () => {
    const failures: unknown[] = []
    const feed = createActivityFeed({
      activity: { partiesWithNews: () => Promise.reject(new Error('the feed cannot be read')) },
      onFailure: (error) => failures.push(error),
      limits: { perCaller: 2, all: 3 },
    })
    const follower = feed.follow('a', new Set([OWNER]))
    feed.advance(1)
    expect(await follower.wait(60_000, new AbortController().signal)).to.equal('news')
    expect(failures.length).to.equal(1)
  })

  it('does not block the event loop when two streams alternate', async () => {
    const turn = createTurns()
    const order: string[] = []
    setImmediate(() => order.push('a request'))
    const reader = async (name: string) => {
      for (let page = 0; page < 2; page += 1) {
        await turn()
        order.push(name)
      }
    }
    await Promise.all([reader('one'), reader('two')])
    expect(order).to.deep.equal(['a request', 'one', 'two', 'one', 'two'])
  })

  it('does not lose events that arrive while nobody waits', async () => {
    const follower = createFollower(new Set())
    const { signal } = new AbortController()
    follower.notify()
    follower.notify()
    expect(await follower.wait(60_000, signal)).to.equal('news')
    expect(await follower.wait(1, signal)).to.equal('quiet')
    follower.end()
    expect(await follower.wait(60_000, signal)).to.equal('ended')
  })
})
