let text: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Long enough to be read, short enough not to be in the way. */
const SHOWN_MS = 4_000

/** Shows a short notice at the edge of the page, also to screen readers; the next one replaces it. */
export function announce(notice: string): void {
  set(notice)
  clearTimeout(timer)
  timer = setTimeout(() => set(null), SHOWN_MS)
}

/** The current notice, for React's `useSyncExternalStore`. */
export const announcement = {
  read: (): string | null => text,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function set(notice: string | null): void {
  text = notice
  for (const listener of listeners) listener()
}
