import type { SendPush } from '../../external/sendPush.ts'
import type { ClaimedPushMessage, PushMessageStore } from '../../store/approvals/pushMessageStore.ts'
import type { PushSubscriptionStore } from '../../store/approvals/pushSubscriptionStore.ts'
import type { Db } from '../../store/database/database.ts'
import { type OpenSubscriptionDeps, openSubscription } from './sealSubscription.ts'

/** Notifications claimed at a time and sent in parallel. */
const CLAIM_MAX = 10
/** Longer than any delivery may take, so that a claim expires only if its process has died. */
const CLAIM_MS = 60_000
const ATTEMPTS_MAX = 5
const RETRY_FIRST_MS = 10_000

export type SendPushMessagesDeps = OpenSubscriptionDeps & {
  db: Pick<Db, 'transaction'>
  pushes: PushMessageStore
  subscriptions: Pick<PushSubscriptionStore, 'removeDead'>
  send: SendPush
  clock: () => number
  /** Aborts when the service stops; what was not sent is claimed again later. */
  stopping: AbortSignal
}

/**
 * Claims the due notifications, sends them and settles each one; returns how many it claimed.
 *
 * A browser that its push service no longer knows is forgotten. A failed delivery is retried with exponential back-off
 * starting at 10 s, and abandoned after five attempts or when the approval has expired.
 */
export async function sendPushMessages(deps: SendPushMessagesDeps): Promise<number> {
  const now = deps.clock()
  const messages = await deps.db.transaction(
    (trx) => deps.pushes.claim(trx, { now, until: now + CLAIM_MS, limit: CLAIM_MAX }),
    ['job pushes'],
  )
  await Promise.all(messages.map((message) => sendOne(deps, message)))
  return messages.length
}

async function sendOne(deps: SendPushMessagesDeps, message: ClaimedPushMessage): Promise<void> {
  const { db, pushes, subscriptions, send, clock, stopping } = deps
  const { id, subscriptionId, key, payload, attempts, expiresAt } = message
  const now = clock()
  const ttlSeconds = Math.floor((expiresAt - now) / 1000)
  if (ttlSeconds <= 0) return db.transaction((trx) => pushes.settle(trx, id))
  const subscription = openSubscription(deps, message)
  const outcome = await send(
    { subscription, payload, ttlSeconds, topic: key.replaceAll('-', ''), now },
    stopping,
  ).catch((error: unknown) => {
    if (stopping.aborted) return 'failed' as const
    throw error
  })
  await db.transaction(async (trx) => {
    if (outcome === 'gone') await subscriptions.removeDead(trx, subscriptionId)
    else if (outcome === 'sent' || attempts >= ATTEMPTS_MAX) await pushes.settle(trx, id)
    else await pushes.retryAt(trx, id, clock() + RETRY_FIRST_MS * 2 ** (attempts - 1))
  })
}
