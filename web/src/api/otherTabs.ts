import type { Session } from './types.ts'

/** What the refresh token of before was exchanged for. */
type Renewed = { refreshToken: string; opened: Session }

const NAME = 'svc.session'
/** Longer than a message takes from one tab to another. */
const MESSAGE_MS = 100

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(NAME)

/**
 * The tabs that a browser made of this one: a duplicated tab begins with the same refresh token, which is good once.
 *
 * Browsers that have no locks, or give none to a page without TLS, let every tab go on for itself.
 */
export const otherTabs = {
  /** Says what a refresh token was exchanged for; only who holds that token learns anything. */
  tell(renewed: Renewed): void {
    channel?.postMessage(renewed)
  },

  /** Hears what the others say. */
  listen(listener: (renewed: Renewed) => void): void {
    channel?.addEventListener('message', ({ data }: MessageEvent<Renewed>) => listener(data))
  },

  /** Does something while no other tab does; after another one, once its message is here. */
  async inTurn(work: () => Promise<void>): Promise<void> {
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
