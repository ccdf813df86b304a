import { createSpendStore } from '../../store/feed/spendStore.ts'
import { composeExport } from '../accounts/composeExport.ts'
import { composeActivity } from '../composeActivity.ts'
import { composeWebhooks } from '../composeWebhooks.ts'
import type { Anchoring } from './composeAnchoring.ts'
import type { Base } from './composeBase.ts'
import type { People } from './composePeople.ts'

export type Feed = ReturnType<typeof composeFeed>

/** Composes what shows owners the events of the feed, or carries them elsewhere. */
export function composeFeed(base: Base, { audit }: Anchoring, { accounts }: People) {
  const { db, config, database, agents, endpoints, tracing, ambient } = base
  const { clock, log } = ambient
  const { catchUp, onFeedAdvanced } = audit
  const spend = createSpendStore(db.query)
  const activity = composeActivity({
    ...{ db, read: database.read, endpoints, agents, spend, log, catchUp, onFeedAdvanced },
  })
  const webhooks = composeWebhooks({ db, config, ambient, onFeedAdvanced, tracing })
  const exports = composeExport({ db, accounts, activity: activity.parts, clock, log })
  return { spend, activity, webhooks, exports }
}
