/** A short notice; `undo` takes back what it says. */
export type Notice = { text: string; undo: (() => void) | null }

let shown: Notice | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Long enough to be read, short enough not to be in the way. */
const SHOWN_MS = 4_000
/** Long enough to reach the button as well. */
const SHOWN_WITH_UNDO_MS = 12_000

/** Shows a short notice at the edge of the page, also to screen readers; the next one replaces it. */
export function announce(text: string, undo: (() => void) | null = null): void {
  set({ text, undo })
  announcement.release()
}

/** The current notice, for React's `useSyncExternalStore`. */
export const announcement = {
  read: (): Notice | null => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Shows it until it is released, such as while it has the focus. */
  hold: (): void => clearTimeout(timer),
  release(): void {
    clearTimeout(timer)
    timer = setTimeout(() => set(null), shown?.undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS)
  },
}

function set(notice: Notice | null): void {
  shown = notice
  for (const listener of listeners) listener()
}
