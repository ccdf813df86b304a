/** Pause between two lines about the same cause. */
const PAUSE_MS = 5_000

type SummaryLines<Item> = {
  /** Writes the first failure of a cause, in full. */
  first(item: Item): void
  /** Writes how many followed since the last line, with the last of them. */
  more(count: number, last: Item): void
}

/**
 * Creates a log of failures of which there may be thousands with the same cause: the first one is written in full, and
 * afterwards their number every five seconds, until there are none.
 */
export function createSummary<Item>({
  first,
  more,
}: SummaryLines<Item>): (cause: string, item: Item) => void {
  const outages = new Map<string, { count: number; last: Item }>()

  function summariseLater(cause: string): void {
    const timer = setTimeout(() => {
      const outage = outages.get(cause)
      if (outage === undefined || outage.count === 0) {
        outages.delete(cause)
        return
      }
      outages.set(cause, { ...outage, count: 0 })
      more(outage.count, outage.last)
      summariseLater(cause)
    }, PAUSE_MS)
    timer.unref()
  }

  return (cause, item) => {
    const outage = outages.get(cause)
    outages.set(cause, { count: outage === undefined ? 0 : outage.count + 1, last: item })
    if (outage !== undefined) return
    first(item)
    summariseLater(cause)
  }
}
