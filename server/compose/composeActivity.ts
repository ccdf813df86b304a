import type { Logger } from '../external/logger.ts'
import { createActivityFeed } from '../services/activity/createActivityFeed.ts'
import { createTurns } from '../services/activity/createTurns.ts'
import type { Db } from '../store/database/database.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createActivityCountStore, createActivityStore } from '../store/feed/activityStore.ts'

export type ComposeActivityDeps = {
  db: Db
  endpoints: Pick<EndpointStore, 'byAnyId'>
  log: Pick<Logger, 'error'>
  catchUp: () => Promise<number>
  /** Tells how far the feed is filled, whenever that changes. */
  onFeedAdvanced: (listener: (nextSeq: number) => void) => void
}

/** Streams open at once: of one credential, and altogether. */
const STREAMS_MAX = { perCaller: 5, all: 1_000 }
/** Below the time after which proxies take a silent connection for dead. */
const HEARTBEAT_MS = 15_000

/** Puts the activity feed together: the list, and the streams with what wakes them. */
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
    /** Ends the streams, so that the server can close. */
    close: feed.close,
  }
}
