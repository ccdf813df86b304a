/** How many nonces are remembered; beyond that the oldest are forgotten. */
const REMEMBERED_MAX = 100_000

/** Remembers used nonces. */
export type ReplayMemory = {
  /** Returns false if the nonce was used before; `expires` and `now` are epoch milliseconds. */
  use(nonce: string, expires: number, now: number): boolean | Promise<boolean>
}

/**
 * Remembers used nonces until their signatures expire.
 *
 * It is local to the process; several processes share a database instead. Source: RFC 9421 §7.2.2.
 */
export function createReplayMemory(max = REMEMBERED_MAX) {
  const used = new Map<string, number>()
  return {
    use(nonce: string, expires: number, now: number): boolean {
      const before = used.get(nonce)
      if (before !== undefined && before > now) return false
      used.delete(nonce)
      for (const [oldest, end] of used) {
        if (end > now && used.size < max) break
        used.delete(oldest)
      }
      used.set(nonce, expires)
      return true
    },
  }
}
