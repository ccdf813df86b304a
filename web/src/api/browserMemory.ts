const listeners = new Set<() => void>()

/**
 * Small texts that this browser remembers, by key, also across tabs. Losing one costs a question or a choice; nothing secret
 * belongs here.
 *
 * Whoever shows one follows it with `useSyncExternalStore`.
 */
export const browserMemory = {
  read: (key: string): string | null => localStorage.getItem(key),

  /** Remembers a text; null forgets it. */
  write(key: string, text: string | null): void {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    for (const listener of listeners) listener()
  },

  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  },
}
