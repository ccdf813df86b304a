import type { Session } from '@svc/core/contract/accounts.ts'

/** A refresh token and the session it was exchanged for. */
type Renewed = { refreshToken: string; opened: Session }

const NAME = 'svc.session'
/** Longer than a message takes to reach another tab. */
const MESSAGE_MS = 100

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME)

/**
 * The other tabs of this dashboard: a duplicated tab starts with the same single-use refresh token.
 *
 * Without the Web Locks API (older browsers, plain HTTP) each tab acts on its own.
 */
export const otherTabs = {
  /** Announces a renewed session; only tabs holding the same refresh token use it. */
  broadcast(renewed: Renewed): void {
    channel?.postMessage(renewed)
  },

  /** Listens for sessions renewed by other tabs. */
  listen(listener: (renewed: Renewed) => void): void {
    channel?.addEventListener('message', ({ data }: MessageEvent<Renewed>) => listener(data))
  },

  /** Runs `work` while no other tab does. After waiting for another tab, lets its broadcast arrive first. */
  async serialize(work: () => Promise<void>): Promise<void> {
    const { locks } = navigator
    if (locks === undefined) return work()
    const isDone = await locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work()
      return lock !== null
    })
    if (isDone) return
    await locks.request(NAME, async () => {
      await new Promise((resolve) => setTimeout(resolve, MESSAGE_MS))
      await work()
    })
  },
}
