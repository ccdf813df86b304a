import type { Logger } from '../external/logger.ts'
import { createActivityFeed } from '../services/activity/createActivityFeed.ts'
import { createTurns } from '../services/activity/createTurns.ts'
import type { Db } from '../store/database/database.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createActivityCountStore } from '../store/feed/activityCountStore.ts'
import { createActivityStore } from '../store/feed/activityStore.ts'

export type ComposeActivityDeps = {
  db: Db
  endpoints: Pick<EndpointStore, 'byAnyId' | 'listByOwners'>
  log: Pick<Logger, 'error'>
  catchUp: () => Promise<number>
  /** Calls a listener with the position of the feed whenever it changes. */
  onFeedAdvanced: (listener: (nextSeq: number) => void) => void
}

/** Maximum open streams: per credential, and in total. */
const STREAMS_MAX = { perCaller: 5, all: 1_000 }
/** Shorter than the time after which proxies close a silent connection. */
const HEARTBEAT_MS = 15_000

/** Composes the activity feed: the list, the streams and what wakes them. */
export function composeActivity({ db, endpoints, log, catchUp, onFeedAdvanced }: ComposeActivityDeps) {
  const activity = createActivityStore(db.query)
  const counts = createActivityCountStore(db.query)
  const feed = createActivityFeed({
    activity,
    onFailure: (err) => log.error({ err }, 'the streams of events could not be told apart'),
    limits: STREAMS_MAX,
  })
  onFeedAdvanced(feed.advance)
  return {
    parts: { activity, counts, endpoints, feed, catchUp, turn: createTurns(), heartbeatMs: HEARTBEAT_MS },
    /** Ends all streams, so that the server can close. */
    close: feed.close,
  }
}
