import type { Session } from '@svc/core/contract/accounts.ts'

/** What one tab tells the others, which share its cookie: a session was opened or renewed, or its user has signed out. */
type News = { kind: 'opened'; opened: Session } | { kind: 'signedOut' }

const NAME = 'svc.session'
/** Longer than a message takes to reach another tab. */
const MESSAGE_MS = 100

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME)

/**
 * The other tabs of this dashboard, which only pages of the same origin can be.
 *
 * Without the Web Locks API (older browsers, plain HTTP) each tab acts on its own, and the service lets two of them
 * exchange the same refresh token.
 */
export const otherTabs = {
  broadcast(news: News): void {
    channel?.postMessage(news)
  },

  listen(listener: (news: News) => void): void {
    channel?.addEventListener('message', ({ data }: MessageEvent<News>) => listener(data))
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
