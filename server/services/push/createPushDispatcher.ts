import type { SendPush } from '../../external/outbound/sendPush.ts'
import type { ClaimedPushMessage, PushMessageStore } from '../../store/approvals/pushMessageStore.ts'
import type { PushSubscriptionStore } from '../../store/approvals/pushSubscriptionStore.ts'
import type { Db } from '../../store/database/database.ts'
import { hashPushHost } from './hashPushHost.ts'
import { type OpenSubscriptionDeps, openSubscription } from './sealSubscription.ts'

/** Maximum notifications that this process sends concurrently, and all processes for one account and to one host. */
const ALL_MAX = 50
const SHARES = { perAccount: 4, perHost: 8 }
/** Longer than any delivery may take, so that a claim expires only if its process has died. */
const CLAIM_MS = 60_000
const ATTEMPTS_MAX = 5
const RETRY_FIRST_MS = 10_000

export type PushDispatcherDeps = OpenSubscriptionDeps & {
  db: Pick<Db, 'transaction'>
  pushes: PushMessageStore
  subscriptions: Pick<PushSubscriptionStore, 'removeDead' | 'setHost'>
  send: SendPush
  clock: () => number
  /** Called when a notification has been settled and there is room for another. */
  onSettled(): void
  onFailure(error: unknown): void
}

export type PushDispatcher = {
  /** Claims due notifications and starts to send them; returns their number without waiting for them. */
  round(): Promise<number>
  /** Aborts those that are being sent; they are claimed again later. */
  stop(): Promise<void>
}

/**
 * Sends the outbox of browser notifications: one at a time to each browser, four for each account and eight to each host,
 * so that addresses which do not respond delay only the notifications of their owners, or of their push service.
 *
 * A browser that its push service no longer knows is forgotten. A failed delivery is retried with exponential back-off
 * starting at 10 s, and abandoned after five attempts or when the approval has expired.
 */
export function createPushDispatcher(deps: PushDispatcherDeps): PushDispatcher {
  /** What is being sent, with whom it counts for. */
  const attempts = new Map<Promise<void>, ClaimedPushMessage>()
  const stopping = new AbortController()

  async function claim(): Promise<number> {
    const now = deps.clock()
    const except = findBusy([...attempts.values()])
    const due = { now, until: now + CLAIM_MS, limit: ALL_MAX - attempts.size, except, ...SHARES }
    const messages = await deps.db.transaction((trx) => deps.pushes.claim(trx, due), ['job pushes'])
    for (const message of messages) {
      const attempt = sendOne(deps, message, stopping.signal)
        .catch(deps.onFailure)
        .finally(() => {
          attempts.delete(attempt)
          deps.onSettled()
        })
      attempts.set(attempt, message)
    }
    return messages.length
  }

  return {
    round: async () => (attempts.size >= ALL_MAX || stopping.signal.aborted ? 0 : claim()),
    async stop() {
      stopping.abort()
      while (attempts.size > 0) await Promise.all(attempts.keys())
    },
  }
}

/**
 * Finds whose shares are full in this process, whatever became of the rows: an owner who removes a browser and subscribes
 * again gets no further share while the notification for the former one is being sent.
 */
function findBusy(sending: readonly ClaimedPushMessage[]) {
  const full = (names: readonly (string | null)[], share: number) =>
    [...new Set(names)].filter(
      (name): name is string => name !== null && names.filter((each) => each === name).length >= share,
    )
  return {
    accounts: full(
      sending.map(({ userId }) => userId),
      SHARES.perAccount,
    ),
    hosts: full(
      sending.map(({ hostHash }) => hostHash),
      SHARES.perHost,
    ),
  }
}

async function sendOne(
  { db, pushes, subscriptions, send, clock, ...deps }: PushDispatcherDeps,
  message: ClaimedPushMessage,
  stopping: AbortSignal,
): Promise<void> {
  const { id, subscriptionId, hostHash, key, payload, attempts, expiresAt } = message
  const now = clock()
  const ttlSeconds = Math.floor((expiresAt - now) / 1000)
  const settle = () => db.transaction((trx) => pushes.settle(trx, id))
  if (ttlSeconds <= 0) return settle()
  const subscription = await openOrSettle(deps, message, settle)
  const outcome = await send(
    { subscription, payload, ttlSeconds, topic: key.replaceAll('-', ''), now },
    stopping,
  ).catch((error: unknown) => {
    if (stopping.aborted) return 'failed' as const
    throw error
  })
  await db.transaction(async (trx) => {
    if (hostHash === null)
      await subscriptions.setHost(trx, subscriptionId, hashPushHost(subscription.endpoint))
    if (outcome === 'gone') await subscriptions.removeDead(trx, subscriptionId)
    else if (outcome === 'sent' || attempts >= ATTEMPTS_MAX) await pushes.settle(trx, id)
    else await pushes.retryAt(trx, id, clock() + RETRY_FIRST_MS * 2 ** (attempts - 1))
  })
}

/** What was sealed with a key that is lost stays unreadable, so its notification is given up, and the failure reported. */
async function openOrSettle(
  deps: OpenSubscriptionDeps,
  message: ClaimedPushMessage,
  settle: () => Promise<void>,
): Promise<ReturnType<typeof openSubscription>> {
  try {
    return openSubscription(deps, message)
  } catch (error) {
    await settle()
    throw error
  }
}
