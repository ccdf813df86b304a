// Own code, measured: a hit through the fetch method of lru-cache takes three times as long and is always a promise.

export type ReadThroughCacheOptions<Value> = {
  /** Most values held at once. */
  max: number
  load(key: string): Promise<Value | null>
}

export type ReadThroughCache<Value> = {
  /** The value at once when it is held, else the promise of the load that is under way. */
  get(key: string): Value | null | Promise<Value | null>
  delete(key: string): void
  clear(): void
}

/**
 * A bounded cache in front of a slow look-up.
 *
 * Concurrent loads of one key are one load. A write deletes its keys after its commit and before its answer; a load
 * that was under way then may have read what was there before, so it answers those who waited for it and is not
 * kept. `null` (nothing there) is never kept: what is created later is found without a `delete`, and keys that
 * somebody guesses push out nothing.
 *
 * Values live in two generations of `max / 2`. A hit is one look into a Map and writes nothing; when the young
 * generation is full the old one is dropped and the young one grows old. So the `max / 2` values used last are always
 * held. An exact order of use would cost two writes a hit, and V8 then copies the whole Map now and again.
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

  /** Whether the load still stands: a `delete` since it began has forgotten it. */
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
