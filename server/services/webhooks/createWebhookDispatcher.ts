import { attemptDelivery } from './attemptDelivery.ts'
import { CLAIM_MS, type WebhookDeps } from './webhookDeps.ts'

/** Maximum concurrent attempts per host, so that a slow receiver delays only its own events. */
const PER_HOST_MAX = 8
/** Claims more for a host when this many attempts are left, because several claims share one write. */
const REFILL_AT = 4
/** Maximum concurrent attempts. */
const ALL_MAX = 200

export type WebhookDispatcherDeps = WebhookDeps & {
  /** Called when an attempt has ended and there is room for another. */
  onSettled(): void
  onFailure(error: unknown): void
}

export type WebhookDispatcher = {
  /** Claims due deliveries and starts their attempts; returns their number without waiting for them. */
  round(): Promise<number>
  /** Resolves when no attempt is in progress. */
  idle(): Promise<void>
  /** Aborts the attempts in progress and releases their deliveries. */
  stop(): Promise<void>
}

/**
 * Sends the outbox of webhooks: due deliveries are claimed for a limited time and attempted, in parallel for different
 * hosts and at most eight at a time per host.
 *
 * If a process dies, its claims expire, and another process sends the same events again under the same ids.
 */
export function createWebhookDispatcher(deps: WebhookDispatcherDeps): WebhookDispatcher {
  const { db, stores, settings } = deps
  const underWay = new Map<string, number>()
  const attempts = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function claim(): Promise<number> {
    const now = settings.clock()
    const busy = [...underWay].filter(([, count]) => count > REFILL_AT).map(([host]) => host)
    const hosts = await stores.deliveries.dueHosts({ now, except: busy, limit: ALL_MAX - attempts.size })
    if (hosts.length === 0) return 0
    const claimed = await db.transaction(
      async (trx) => {
        const found = []
        for (const host of hosts) {
          const room = Math.min(
            PER_HOST_MAX - (underWay.get(host) ?? 0),
            ALL_MAX - attempts.size - found.length,
          )
          if (room <= 0) continue
          found.push(
            ...(await stores.deliveries.claim(trx, { host, now, until: now + CLAIM_MS, limit: room })),
          )
        }
        return found
      },
      ['job webhooks'],
    )
    for (const delivery of claimed) {
      const { host } = delivery
      underWay.set(host, (underWay.get(host) ?? 0) + 1)
      const attempt = attemptDelivery(deps, delivery, stopping.signal)
        .catch(deps.onFailure)
        .finally(() => {
          attempts.delete(attempt)
          const left = (underWay.get(host) ?? 1) - 1
          if (left === 0) underWay.delete(host)
          else underWay.set(host, left)
          deps.onSettled()
        })
      attempts.add(attempt)
    }
    return claimed.length
  }

  const idle = async (): Promise<void> => {
    while (attempts.size > 0) await Promise.all(attempts)
  }

  return {
    round: async () => (attempts.size >= ALL_MAX || stopping.signal.aborted ? 0 : claim()),
    idle,
    async stop() {
      stopping.abort()
      await idle()
    },
  }
}
