/** Most signatures remembered; past it the oldest are forgotten first. */
const REMEMBERED_MAX = 100_000

/** Where used nonces are remembered. */
export type ReplayMemory = {
  /** False when it was used before; `expires` and `now` are epoch milliseconds. */
  use(nonce: string, expires: number, now: number): boolean | Promise<boolean>
}

/**
 * Remembers used nonces until their signatures expire.
 *
 * The memory of one process; several share a database instead. Source: RFC 9421 §7.2.2.
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
