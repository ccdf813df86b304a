import type { Logger } from '../external/telemetry/logger.ts'
import { createActivityFeed } from '../services/activity/createActivityFeed.ts'
import { createTurns } from '../services/activity/createTurns.ts'
import type { AgentStore } from '../store/agents/agentStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { type ReadFrom, readFrom } from '../store/database/connections/readFrom.ts'
import type { Db } from '../store/database/database.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createActivityCountStore } from '../store/feed/activityCountStore.ts'
import { createActivityStore } from '../store/feed/activityStore.ts'
import { createDecisionCountStore } from '../store/feed/decisionCountStore.ts'
import type { SpendStore } from '../store/feed/spendStore.ts'
import { createCapUseStore } from '../store/recorder/capUseStore.ts'

export type ComposeActivityDeps = {
  db: Db
  /** Reads what the feed shows, from a replica if there is one. */
  read: ReadFrom
  endpoints: Pick<EndpointStore, 'byAnyId' | 'listByOwners'>
  agents: Pick<AgentStore, 'byAnyId' | 'bySvcId'>
  spend: SpendStore
  log: Pick<Logger, 'error'>
  catchUp: () => Promise<number>
  /** Calls a listener with the position of the feed whenever it changes. */
  onFeedAdvanced: (listener: (nextSeq: number) => void) => void
}

/** Maximum open streams: per credential, and in total. */
const STREAMS_MAX = { perCaller: 5, all: 1_000 }
/** Shorter than the time after which proxies close a silent connection. */
const HEARTBEAT_MS = 15_000

/** Composes the activity feed: the list, the counts, the streams and what wakes them. */
export function composeActivity(deps: ComposeActivityDeps) {
  const { db, read, log, onFeedAdvanced, ...shared } = deps
  const feed = createActivityFeed({
    activity: createActivityStore(db.query),
    onFailure: (err) => log.error({ err }, 'the streams of events could not be told apart'),
    limits: STREAMS_MAX,
  })
  onFeedAdvanced(feed.advance)
  return {
    parts: {
      ...shared,
      activity: readFrom(read, createActivityStore, ['list', 'after']),
      records: createAuditRecordStore(db.query),
      counts: readFrom(read, createActivityCountStore, ['lastOf']),
      decisions: readFrom(read, createDecisionCountStore, ['outcomes', 'days', 'lastAt']),
      caps: createCapUseStore(db.query),
      feed,
      turn: createTurns(),
      heartbeatMs: HEARTBEAT_MS,
    },
    /** Ends all streams, so that the server can close. */
    close: feed.close,
  }
}
