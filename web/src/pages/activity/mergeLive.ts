import type { ActivityItem } from '@svc/core/contract/activity.ts'

/**
 * What live events change in a list of purchases: the outcome of a purchase that is listed, in its place, and the number of
 * purchases that are new. New ones stay out until the reader asks for them, so that no row moves.
 *
 * @param listed The purchases, one event each; one that two pages list is shown once.
 * @param live Newest first.
 * @param outcome The outcome that the list is limited to; empty for all.
 */
export function mergeLive(
  listed: readonly ActivityItem[],
  live: readonly ActivityItem[],
  outcome: string,
): { rows: ActivityItem[]; fresh: number; byPurchase: ReadonlyMap<string, readonly ActivityItem[]> } {
  const byPurchase = new Map<string, ActivityItem[]>()
  for (const event of live) {
    const events = byPurchase.get(event.purchaseId) ?? []
    byPurchase.set(event.purchaseId, [...events, event])
  }
  const rows = new Map<string, ActivityItem>()
  for (const event of listed) {
    if (rows.has(event.purchaseId)) continue
    const latest = byPurchase.get(event.purchaseId)?.find((newer) => newer.outcome !== null)
    rows.set(event.purchaseId, latest ? { ...event, purchaseOutcome: latest.outcome } : event)
  }
  const fresh = [...byPurchase].filter(
    ([purchaseId, events]) =>
      !rows.has(purchaseId) &&
      (outcome === '' || events.find((event) => event.outcome !== null)?.outcome === outcome),
  )
  return { rows: [...rows.values()], fresh: fresh.length, byPurchase }
}
