/** Most signatures remembered; past it the oldest are forgotten first. */
const REMEMBERED_MAX = 100_000

export type ReplayMemory = ReturnType<typeof createReplayMemory>

/**
 * Remembers used nonces until their signatures expire.
 *
 * One process remembers what it saw; the window that is left is that of `expires`. Source: RFC 9421 §7.2.2.
 */
export function createReplayMemory(max = REMEMBERED_MAX) {
  const used = new Map<string, number>()
  return {
    /** False when it was used before; `expires` and `now` are epoch milliseconds. */
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
