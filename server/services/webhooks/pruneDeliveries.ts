import type { WebhookDeps } from './webhookDeps.ts'

/** How long a delivery can be seen and sent again after it was settled. */
const KEPT_MS = 30 * 86_400_000
/** Deleted in one transaction; bounds how long it holds the write lock. */
const PRUNED_MAX = 500

/** Forgets deliveries that were settled 30 days ago, some in a call; answers how many. */
export async function pruneDeliveries({ db, stores, settings }: WebhookDeps): Promise<number> {
  const before = settings.clock() - KEPT_MS
  return db.transaction((trx) => stores.deliveries.prune(trx, { before, limit: PRUNED_MAX }))
}
