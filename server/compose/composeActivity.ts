import type { Logger } from '../external/logger.ts'
import type { ActivityServices } from '../services/activity/activityServices.ts'
import { countActivity } from '../services/activity/countActivity.ts'
import { createActivityFeed } from '../services/activity/createActivityFeed.ts'
import { createTurns } from '../services/activity/createTurns.ts'
import { followActivity } from '../services/activity/followActivity.ts'
import { listActivity } from '../services/activity/listActivity.ts'
import type { Db } from '../store/database/database.ts'
import { createActivityCountStore } from '../store/feed/activityCountStore.ts'
import { createActivityStore } from '../store/feed/activityStore.ts'

export type ComposeActivityDeps = {
  db: Db
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
export function composeActivity({ db, log, catchUp, onFeedAdvanced }: ComposeActivityDeps) {
  const activity = createActivityStore(db.query)
  const counts = createActivityCountStore(db.query)
  const feed = createActivityFeed({
    activity,
    onFailure: (err) => log.error({ err }, 'the streams of events could not be told apart'),
    limits: STREAMS_MAX,
  })
  onFeedAdvanced(feed.advance)
  const following = { activity, feed, catchUp, turn: createTurns(), heartbeatMs: HEARTBEAT_MS }
  const services: ActivityServices = {
    list: (input) => listActivity({ activity, catchUp }, input),
    count: (input) => countActivity({ counts, catchUp }, input),
    follow: (input) => followActivity(following, input),
  }
  return {
    services,
    /** Ends the streams, so that the server can close. */
    close: feed.close,
  }
}
