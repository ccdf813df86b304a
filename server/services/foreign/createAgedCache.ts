type Good<Value> = { at: number; value: Value }

type Held<Value> = {
  at: number
  /** For how long it counts since `at`. */
  ageMs: number
  loading: Promise<Value>
  /** What the last successful load returned. */
  good: Good<Value> | null
}

export type AgedCacheOptions<Value> = {
  /** How long a value counts since its load began. */
  ageMs: number
  /** How long a value counts since its load began if later loads fail. */
  staleMs?: number
  /** Maximum number of values. */
  max: number
  /** Values that tell of a fault: how long they count, and whether the fault may pass, like a load that fails. */
  faults?: { ageMs: number; isFault(value: Value): boolean; mayPass(value: Value): boolean }
}

/**
 * Creates a bounded cache of what others may change at any time.
 *
 * Concurrent requests for a key share one load. If it fails, the last good value still counts for `staleMs`, so that a node
 * that fails once refuses nobody; after that, the error is thrown.
 */
export function createAgedCache<Value>({ ageMs, staleMs = 0, max, faults }: AgedCacheOptions<Value>) {
  const generationMax = Math.max(1, Math.floor(max / 2))
  let young = new Map<string, Held<Value>>()
  let old = new Map<string, Held<Value>>()

  function keep(key: string, held: Held<Value>): void {
    if (young.size >= generationMax) {
      old = young
      young = new Map()
    }
    young.set(key, held)
  }

  function startLoad(key: string, now: number, good: Good<Value> | null, load: () => Promise<Value>) {
    const former = good !== null && now - good.at < staleMs ? good : null
    const held: Held<Value> = {
      ...{ at: now, ageMs, good: former },
      loading: load().then(
        (value) => {
          const isFault = faults?.isFault(value) === true
          if (isFault) held.ageMs = faults?.ageMs ?? ageMs
          if (former !== null && faults?.mayPass(value)) return former.value
          held.good = isFault ? null : { at: now, value }
          return value
        },
        (error: unknown) => {
          // The next request tries again.
          held.ageMs = 0
          if (former !== null) return former.value
          if (young.get(key) === held) young.delete(key)
          throw error
        },
      ),
    }
    keep(key, held)
    return held.loading
  }

  return {
    async get(key: string, now: number, load: () => Promise<Value>): Promise<Value> {
      const known = young.get(key) ?? old.get(key)
      if (known !== undefined && now - known.at < known.ageMs && now >= known.at) return known.loading
      return startLoad(key, now, known?.good ?? null, load)
    },
    delete(key: string): void {
      young.delete(key)
      old.delete(key)
    },
  }
}
