import type { WebhookDeps } from './webhookDeps.ts'

/** How long a settled delivery can be listed and sent again. */
const KEPT_MS = 30 * 86_400_000
/** Maximum deletions per transaction; bounds how long it holds the write lock. */
const PRUNED_MAX = 500

/** Deletes deliveries settled 30 days ago, a limited number per call; returns the number. */
export async function pruneDeliveries({ db, stores, settings }: WebhookDeps): Promise<number> {
  const before = settings.clock() - KEPT_MS
  return db.transaction((trx) => stores.deliveries.prune(trx, { before, limit: PRUNED_MAX }))
}
