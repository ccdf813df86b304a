// Own code, measured: a hit through the fetch method of lru-cache takes three times as long and is always a promise.

export type ReadThroughCacheOptions<Value> = {
  /** Maximum number of cached values. */
  max: number
  load(key: string): Promise<Value | null>
}

export type ReadThroughCache<Value> = {
  /** The value if it is cached, otherwise the promise of its load. */
  get(key: string): Value | null | Promise<Value | null>
  delete(key: string): void
  clear(): void
}

/**
 * A bounded cache in front of a slow look-up.
 *
 * Concurrent loads of a key share one load. A write deletes its keys after the commit and before the response. A load in
 * progress at that time may have read the previous state, so its result is returned to those waiting but not cached. `null`
 * (not found) is never cached: new rows are found without a `delete`, and guessed keys evict nothing.
 *
 * Values live in two generations of `max / 2`. A hit is one Map look-up without a write. When the young generation is full,
 * the old one is dropped and the young one takes its place, so that the `max / 2` most recently used values are always
 * cached. Exact recency would cost two writes per hit, and V8 would then copy the whole Map from time to time.
 */
export function createReadThroughCache<Value>(
  options: ReadThroughCacheOptions<Value>,
): ReadThroughCache<Value> {
  const generationMax = Math.max(1, Math.floor(options.max / 2))
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const loads = new Map<string, Promise<Value | null>>()

  function keep(key: string, value: Value): void {
    if (young.size >= generationMax) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  function startLoad(key: string): Promise<Value | null> {
    const load = options.load(key).then(
      (value) => {
        if (endLoad(key, load) && value !== null) keep(key, value)
        return value
      },
      (error: unknown) => {
        endLoad(key, load)
        throw error
      },
    )
    loads.set(key, load)
    return load
  }

  /** Whether the load is still valid: a `delete` since its start has discarded it. */
  function endLoad(key: string, load: Promise<Value | null>): boolean {
    return loads.get(key) === load && loads.delete(key)
  }

  return {
    get(key) {
      const recent = young.get(key)
      if (recent !== undefined) return recent
      const value = old.get(key)
      if (value === undefined) return loads.get(key) ?? startLoad(key)
      old.delete(key)
      keep(key, value)
      return value
    },
    delete(key) {
      young.delete(key)
      old.delete(key)
      loads.delete(key)
    },
    clear() {
      young.clear()
      old.clear()
      loads.clear()
    },
  }
}
