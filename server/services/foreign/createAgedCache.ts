/** Maximum number of values in each of the two generations. */
const GENERATION_MAX = 5_000

type Held<Value> = { at: number; loading: Promise<Value> }

/**
 * Creates a bounded cache of what others may change at any time: a value counts for `ageMs` since its load began.
 *
 * Concurrent requests for a key share one load. If a load fails, the former value still counts for `staleMs` since its own
 * load, so that a node that fails once refuses nobody; after that, the error is thrown.
 */
export function createAgedCache<Value>({ ageMs, staleMs = 0 }: { ageMs: number; staleMs?: number }) {
  let young = new Map<string, Held<Value>>()
  let old = new Map<string, Held<Value>>()

  function keep(key: string, held: Held<Value>): void {
    if (young.size >= GENERATION_MAX) {
      old = young
      young = new Map()
    }
    young.set(key, held)
  }

  return {
    async get(key: string, now: number, load: () => Promise<Value>): Promise<Value> {
      const known = young.get(key) ?? old.get(key)
      if (known !== undefined && now - known.at < ageMs && now >= known.at) return known.loading
      const fresh = { at: now, loading: load() }
      keep(key, fresh)
      try {
        return await fresh.loading
      } catch (error) {
        const isCurrent = young.get(key) === fresh
        if (known !== undefined && now - known.at < staleMs) {
          if (isCurrent) young.set(key, known)
          return known.loading
        }
        if (isCurrent) young.delete(key)
        throw error
      }
    },
    delete(key: string): void {
      young.delete(key)
      old.delete(key)
    },
  }
}
