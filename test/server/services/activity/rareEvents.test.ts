import { expect } from 'chai'
import { countActivity } from '../../../../server/services/activity/countActivity.ts'
import { createActivityFeed } from '../../../../server/services/activity/createActivityFeed.ts'
import { createTurns } from '../../../../server/services/activity/createTurns.ts'
import { followActivity } from '../../../../server/services/activity/followActivity.ts'
import { listActivity } from '../../../../server/services/activity/listActivity.ts'
import { projectChunk } from '../../../../server/services/projection/projectChunk.ts'
import { createEndpointStore } from '../../../../server/store/endpoints/endpointStore.ts'
import { createActivityCountStore } from '../../../../server/store/feed/activityCountStore.ts'
import { type ActivityStore, createActivityStore } from '../../../../server/store/feed/activityStore.ts'
import { openPostgresProjection } from '../../../../server/store/feed/projection.postgres.ts'
import { createSqliteProjectionStore } from '../../../../server/store/feed/projectionStore.sqlite.ts'
import { buildKeyPrincipal } from '../../../builders/buildKeyPrincipal.ts'
import { AGENT_OWNER, buildNumberedRecord, ENDPOINT_OWNER } from '../../../builders/buildNumberedRecord.ts'
import { type AuditDatabase, openAuditDatabase } from '../../../harness/database/openAuditDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'

/** The number of log indexes that one query scans. */
const LOOK_MAX = 10_000
/** Events for three queries. */
const EVENTS = 2 * LOOK_MAX + 100
const RARE = 'agent.owner_changed'
/** The log indexes of matching events: the oldest, one in the range of the second query, and one of another agent. */
const RARE_AT = new Map([
  [0, ENDPOINT_OWNER],
  [LOOK_MAX, ENDPOINT_OWNER],
  [EVENTS - 3, 'SVCO-somebodyelse000000000000'],
])

const timeOf = (nth: number) => Date.UTC(2026, 2, 2) + nth * 1000

describe('a rare event that passes a filter', function () {
  this.timeout(120_000)
  let database: AuditDatabase
  let activity: ActivityStore
  const looks: (number | null)[] = []

  before(async () => {
    database = await openAuditDatabase(testedDatabase)
    const records = Array.from({ length: EVENTS }, (_, nth) => {
      const counterpartyOwnerId = RARE_AT.get(nth)
      const eventData = { resource: '/Very rare' }
      const rare = counterpartyOwnerId ? { eventType: RARE, counterpartyOwnerId, eventData } : {}
      return buildNumberedRecord(nth, { recordedAt: timeOf(nth), ...rare })
    })
    await database.append(records)
    await project()
    activity = createActivityStore(database.db.query)
  })
  after(() => database?.close())

  async function project(): Promise<void> {
    const { databaseUrl } = database.files
    if (databaseUrl === undefined) {
      const store = createSqliteProjectionStore(database.files)
      while (projectChunk(store) < EVENTS);
      store.close()
      return
    }
    const projection = await openPostgresProjection(databaseUrl)
    while (((await projection.run((store) => projectChunk(store))) ?? 0) < EVENTS);
    await projection.close()
  }

  const list = (filter: object, cursor: number | null = null) =>
    listActivity(
      {
        activity: {
          async list(filter, position) {
            const look = await activity.list(filter, position)
            looks.push(look.lookedTo)
            return look
          },
        },
        endpoints: createEndpointStore(database.db.query),
        catchUp: async () => undefined,
        turn: createTurns(),
      },
      { actsFor: new Set([ENDPOINT_OWNER]), limit: 25, order: 'desc', cursor, ...filter },
    )

  /** Reads all pages of the list, as a client does. */
  async function parts(filter: object): Promise<string[][]> {
    const seen: string[][] = []
    let cursor: number | null = null
    do {
      const { items, nextBefore } = await list(filter, cursor)
      seen.push(items.map(({ id }) => id))
      cursor = nextBefore
    } while (cursor !== null)
    return seen
  }

  it('is found at once by an index', async () => {
    const [oldest, middle] = [0, LOOK_MAX].map((nth) => buildNumberedRecord(nth).recordId)
    looks.length = 0
    expect(await parts({ eventType: RARE })).to.deep.equal([[middle, oldest]])
    expect(looks).to.deep.equal([null])
  })

  for (const order of ['desc', 'asc'] as const) {
    it(`is found by its text in queries that each end, ${order}`, async () => {
      const found = [0, LOOK_MAX].map((nth) => buildNumberedRecord(nth).recordId)
      looks.length = 0
      const page = await parts({ text: 'very rare', order })
      expect(page).to.deep.equal([order === 'desc' ? found.toReversed() : found])
      expect(looks).to.have.lengthOf(3)
      expect(looks.slice(0, 2)).to.not.include(null)
      expect(looks[2]).to.equal(null)
    })
  }

  it('is not searched for beyond the requested time', async () => {
    const since = timeOf(EVENTS - 5)
    expect((await parts({ since })).map(({ length }) => length)).to.deep.equal([4])
    expect(await parts({ since: timeOf(EVENTS) })).to.deep.equal([[]])
    const actsFor = new Set([ENDPOINT_OWNER, AGENT_OWNER])
    expect((await parts({ since, actsFor })).map(({ length }) => length)).to.deep.equal([5])
  })

  it('is searched for across all parties at one pace', async () => {
    const actsFor = new Set([ENDPOINT_OWNER, AGENT_OWNER, 'SVCO-somebodyelse000000000000'])
    const found = (await parts({ eventType: RARE, actsFor })).flat()
    expect(found).to.deep.equal([EVENTS - 3, LOOK_MAX, 0].map((nth) => buildNumberedRecord(nth).recordId))
  })

  it('does not shorten pages of an unfiltered list', async () => {
    const { items, nextBefore } = await list({})
    expect(items.length).to.equal(25)
    expect(nextBefore).to.equal(EVENTS - 26)
  })

  it('is counted once among the newest of each party, as far as the scan limit allows', async () => {
    const counted = async (...parties: string[]) => {
      const counts = createActivityCountStore(database.db.query)
      const input = { actsFor: new Set(parties), hours: 24, now: timeOf(EVENTS) }
      const { hours, isComplete } = await countActivity({ counts, catchUp: async () => undefined }, input)
      const all = hours.flatMap((hour) => Object.values(hour.counts))
      return [all.reduce((sum, count) => sum + count, 0), isComplete]
    }
    expect(await counted(ENDPOINT_OWNER)).to.deep.equal([20_000, false])
    expect(await counted('SVCO-somebodyelse000000000000')).to.deep.equal([1, true])
    // One of the newest belongs to somebody else, so the first reaches one event further back than the second.
    expect(await counted(ENDPOINT_OWNER, AGENT_OWNER)).to.deep.equal([10_001, false])
    expect(await counted('SVCO-nobody', ENDPOINT_OWNER)).to.deep.equal([20_000, false])
  })

  it('reaches a client that follows from long ago, in order and without gaps', async () => {
    const principal = buildKeyPrincipal(ENDPOINT_OWNER)
    const feed = createActivityFeed({
      activity,
      onFailure: () => undefined,
      limits: { perCaller: 2, all: 3 },
    })
    looks.length = 0
    const gone = new AbortController()
    const open = await followActivity(
      {
        activity: {
          async after(filter) {
            const look = await activity.after(filter)
            looks.push(look.lookedTo)
            return look
          },
        },
        endpoints: createEndpointStore(database.db.query),
        feed,
        catchUp: async () => EVENTS,
        turn: createTurns(),
        heartbeatMs: 5,
      },
      { principal, holder: 'key', filter: { eventType: RARE }, afterSeq: -1, refresh: async () => principal },
    )
    const found: number[] = []
    for await (const item of open(gone.signal)) {
      if (item.kind === 'events') found.push(...item.events.map(({ seq }) => seq))
      if (item.kind === 'heartbeat') gone.abort()
    }
    expect(found).to.deep.equal([0, LOOK_MAX])
    expect(looks).to.deep.equal([LOOK_MAX - 1, 2 * LOOK_MAX - 1, null])
  })
})
