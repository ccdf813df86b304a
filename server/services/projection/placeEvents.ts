import type { PlacedEvent } from '../../store/feed/projectionStore.ts'
import { describeForParties } from './describeForParties.ts'
import type { ReadRecord } from './readRecord.ts'

/**
 * The events of a chunk’s parties, each with the first event of its purchase in the chunk and with what the purchase came to
 * at its end. Sorted like their table, so that neighbouring rows are written together.
 */
export function placeEvents(records: readonly ReadRecord[]): PlacedEvent[] {
  const purchases = new Map<string, Pick<PlacedEvent, 'firstSeq' | 'standing'>>()
  const events = records.flatMap(describeForParties).map((event) => {
    const key = `${event.partyId} ${event.purchaseId ?? event.seq}`
    const purchase = purchases.get(key) ?? { firstSeq: event.seq, standing: null }
    purchase.standing = event.outcome ?? purchase.standing
    purchases.set(key, purchase)
    return { event, purchase }
  })
  return events
    .map(({ event, purchase }) => ({ ...event, ...purchase }))
    .sort((a, b) => (a.partyId === b.partyId ? a.seq - b.seq : a.partyId < b.partyId ? -1 : 1))
}
