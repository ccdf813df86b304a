/** Collects what arrives one by one, and hands it on together. */
export type Batch<T> = {
  add(item: T): void
  /** Hands on immediately what has been collected. */
  flush(): void
}

/**
 * Collects items for `delayMs` from the first one on, so that a burst is drawn once instead of once per item.
 *
 * @param take Gets the items in the order in which they arrived, never none.
 */
export function createBatch<T>(delayMs: number, take: (items: readonly T[]) => void): Batch<T> {
  let items: T[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (items.length === 0) return
    const collected = items
    items = []
    take(collected)
  }
  return {
    add(item) {
      items.push(item)
      timer ??= setTimeout(flush, delayMs)
    },
    flush,
  }
}
